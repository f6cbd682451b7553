package source

import (
	"path"
	"strings"
)

// EachName stands for the names of members that are made from a list.
const EachName = "[name]"

// Each says that a symbol stands for one member for each name in a list that another file of the module exports.
type Each struct {
	From string `json:"f"` // the file, as an import has it: "./utils"
	List string `json:"l"` // what it exports the list as
}

// Of is the symbol that one name of a list makes of it.
func (s Symbol) Of(name string) Symbol {
	one := s
	one.Each, one.Type = nil, "" // the parts would be those of another signature
	one.Name = strings.Replace(s.Name, EachName, name, 1)
	one.Signature = strings.Replace(s.Signature, EachName, name, 1)
	one.Interface, one.Content = DigestOf(name, string(s.Interface)), DigestOf(name, string(s.Content))
	if s.Code != "" {
		one.Code = DigestOf(name, string(s.Code))
	}
	return one
}

// membersOf are the symbols that a symbol of a file stands for, whose names come from a list.
func (m Module) membersOf(u *Unit, s Symbol) []Symbol {
	at := path.Join(path.Dir(u.Path), s.Each.From)
	for i := range m.Units {
		other := &m.Units[i]
		if other.Path != at && strings.TrimSuffix(other.Path, path.Ext(other.Path)) != at {
			continue
		}
		var out []Symbol
		for _, name := range other.File.Lists[s.Each.List] {
			out = append(out, s.Of(name))
		}
		return out
	}
	return nil
}
