package rust

import (
	"strings"

	"github.com/causaldocs/causal/knowledge/lazyregexp"
	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/knowledge/source/surface"
)

// deserialized reads a serde type with a configuration name, or in a file or directory with one: others may hold it.
func (f *facts) deserialized(attrs, at, open int) {
	o := f.o
	name := o.validName(at + 1)
	named := surface.IsConfigName(name)
	if !named && !f.config {
		return
	}
	c := &clap{facts: f, id: name, words: serdeWords}
	c.rename = c.settings(attrs, at)["rename_all"]
	if named {
		root := source.Fact{Kind: source.Config, ID: name, Of: source.Program}
		if !f.loads {
			root.Usage = source.Fallback
		}
		f.note(root, at)
	}
	c.members(open, func(attrs, field, end int) {
		s := c.settings(attrs, field)
		if !o.is(field+1, ":") || s["skip"] != "" || s["skip_deserializing"] != "" {
			return
		}
		x := source.Fact{Kind: source.Config, Name: s["rename"], Of: name, Value: f.typeText(field+2, end)}
		of, as := o.elementAt(field+2, end)
		x.ID, x.Also = c.typeAt(of, end), as
		if x.Name == "" {
			x.Name = c.spelled(toValid(o.name(field)), "verbatim")
		}
		if s["flatten"] != "" {
			x.Name, x.Value = "", ""
		}
		if function := s["default"]; function == isTrue && end == field+3 {
			x.Default = zeros[x.Value]
		} else if function != "" {
			x.Default = f.valueOf(f.values()[function+"()"], deepestValue)
		}
		c.describe(&x, attrs, field)
		f.note(x, field)
	})
}

var serdeWords = set("serde")

// zeros are the defaults of types.
var zeros = map[string]string{"bool": "false", "u8": "0", "u16": "0", "u32": "0", "u64": "0", "usize": "0", "i32": "0", "i64": "0"}

// elements are the types of lists and maps, with what stands for an element in the path of a key.
var elements = map[string]string{
	"Vec": "[]", "VecDeque": "[]", "HashSet": "[]", "BTreeSet": "[]", "IndexSet": "[]", "HashMap": ".*", "BTreeMap": ".*", "IndexMap": ".*",
}

// elementAt returns the place of the type of the elements of a list or map, and what stands for one in the path of a key.
func (o *outline) elementAt(i, end int) (of int, as string) {
	for ; i+1 < end; i += 2 {
		stands := elements[toValid(o.name(i))]
		switch {
		case o.is(i+1, "::"):
		case !o.is(i+1, "<") || as != "" && stands != "" || stands == "" && !wrapping[toValid(o.name(i))]:
			return i, as
		case stands == ".*":
			i = o.to(",", i+2, end) - 1 // behind the type of the keys
			fallthrough
		default:
			as += stands
		}
	}
	return i, as
}

// loads matches code that reads a configuration. JSON is mostly other data.
var (
	loads     = lazyregexp.New(`(?:^|[^:\w])(?:toml(?:_edit)?|serde_ya?ml(?:_\w+)?|serde_yml|figment|envy|confy|ron|(?:serde_)?json5|(?:serde|deser)_hjson)::|(?:^|[^:\w])config::(?:Environment|File|Config::builder|\{)`)
	loadsJSON = lazyregexp.New(`serde_json::from_(?:reader|str|slice)[^;]*(?:File::open|read_to_string|fs::read)|(?:File::open|read_to_string|fs::read)[^}]*serde_json::from_(?:reader|str|slice)`)
)

const longestType = 60

func (f *facts) typeText(i, end int) string {
	o := f.o
	if o.is(i, "Option") && o.is(i+1, "<") && o.is(end-1, ">") {
		i, end = i+2, end-1
	}
	if i >= end || int(o.toks[end-1].end-o.toks[i].start) > longestType {
		return ""
	}
	var b strings.Builder
	for ; i < end; i++ {
		b.Write(o.text(i))
		if o.is(i, ",") {
			b.WriteByte(' ')
		}
	}
	return toValid(b.String())
}

// deepestValue bounds the constants, functions and conversions that lead to a value.
const deepestValue = 8

// converting are functions that return their argument as another type.
var converting = set("from", "from_str", "new", "V4", "V6", "Some", "String", "into", "to_string", "to_owned")

var addresses = map[string]string{"LOCALHOST": "127.0.0.1", "UNSPECIFIED": "0.0.0.0", "BROADCAST": "255.255.255.255"}

const addressParts = 4

// address joins the numbers of an address: `IpAddr::from([0, 0, 0, 0])`.
func (f *facts) address(parts []*surface.Node, left int) string {
	out := make([]string, len(parts))
	for i, p := range parts {
		if out[i] = f.valueOf(p, left-1); p.Kind != surface.Number {
			return ""
		}
	}
	return strings.Join(out, ".")
}

// valueOf returns the literal that an expression stands for: by constants, functions of the file that only return one, such as
// `fn port() -> u16 { PORT }`, and conversions.
func (f *facts) valueOf(n *surface.Node, left int) string {
	switch {
	case n == nil || left == 0:
	case n.Kind == surface.Text, n.Kind == surface.Number, n.Is(isTrue), n.Is("false"):
		return n.Text
	case n.Kind == surface.Name:
		return f.valueOf(f.values()[n.Text], left-1)
	case n.Kind == surface.Member && strings.HasSuffix(surface.Dotted(n.X), "Ipv4Addr"):
		return addresses[n.Text]
	case (n.Kind == surface.List || n.Kind == surface.Call && lastTwo(surface.Dotted(n.X)) == "Ipv4Addr.new") && len(n.Args) == addressParts:
		return f.address(n.Args, left)
	case n.Kind == surface.Call && len(n.Args) == 0 && n.X.Kind == surface.Name:
		return f.valueOf(f.values()[n.X.Text+"()"], left-1)
	case n.Kind == surface.Call && n.X.Kind == surface.Member && (n.X.Text == "unwrap" || n.X.Text == "expect"):
		return f.valueOf(n.X.X, left-1)
	case n.Kind == surface.Call && len(n.Args) == 1 && converting[n.X.Text]:
		return f.valueOf(n.Args[0], left-1)
	}
	return ""
}

// values maps the constants of the file, and functions with "()", to their value.
func (f *facts) values() map[string]*surface.Node {
	if f.constant != nil {
		return f.constant
	}
	f.constant = map[string]*surface.Node{}
	for _, n := range f.translated().Body {
		switch {
		case n.Kind == surface.Bind && len(n.Args) == 1:
			f.constant[n.Args[0].Text] = n.X
		case n.Kind == surface.Func && len(n.Args) == 0 && len(n.Body) == 1 && n.Body[0].Kind == surface.Return:
			f.constant[n.Text+"()"] = n.Body[0].X
		}
	}
	return f.constant
}
