package source

import (
	"path"
	"strings"
)

// EachName is the placeholder for member names generated from a list.
const EachName = "[name]"

// Each marks a symbol that represents one member per name in a list exported by another file of the module.
type Each struct {
	From string `json:"f"` // the file as an import path: "./utils"
	List string `json:"l"` // the exported name of the list
}

// Of returns the member for one name of the list.
func (s Symbol) Of(name string) Symbol {
	one := s
	one.Each, one.Type = nil, "" // the parts belong to the generic signature
	one.Name = strings.Replace(s.Name, EachName, name, 1)
	one.Signature = strings.Replace(s.Signature, EachName, name, 1)
	one.Interface, one.Content = DigestOf(name, string(s.Interface)), DigestOf(name, string(s.Content))
	if s.Code != "" {
		one.Code = DigestOf(name, string(s.Code))
	}
	return one
}

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
