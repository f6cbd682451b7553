package match

import (
	"path"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/lazy"
	"github.com/causaldocs/causal/knowledge/source"
	_ "github.com/causaldocs/causal/knowledge/source/languages" // their dialects
)

type dialect struct {
	name     string
	keywords map[string]bool
	hash     bool // # begins a comment
	prime    bool // ' does not always begin a literal
}

// everywhere lists keywords that many languages share and that are rarely other names.
const everywhere = "_ nil null None undefined nullptr true false True False self this super err " +
	"if else for while do switch case default break continue return try catch throw new in is not and or import class struct enum const static void"

// unread are the dialects of languages without a reader. One without a name has the name of the ending.
var unread = []source.Dialect{
	{Name: "ruby", Endings: "rb rake", Words: "def end module unless until then elsif begin rescue ensure yield puts require attr_reader attr_accessor", Hash: true},
	{Name: "shell", Endings: "sh bash zsh", Words: "then fi done esac elif function local export echo exit set", Hash: true},
	{Endings: "yml yaml toml pl pm r jl ex exs tf cmake", Hash: true},
}

// dialects maps file extensions to languages. An unlisted extension is its own language, with the keywords of all.
var dialects = lazy.Value[map[string]*dialect]{Make: func() map[string]*dialect {
	byEnding, all := map[string]*dialect{}, &dialect{keywords: map[string]bool{}}
	list := slices.Clone(unread)
	for _, t := range source.AllTraits() {
		if t.Dialect != nil {
			list = append(list, *t.Dialect)
		}
	}
	for _, d := range list {
		words := &dialect{name: d.Name, keywords: lazy.Set(everywhere + " " + d.Words), prime: d.Prime, hash: d.Hash}
		for _, ending := range strings.Fields(d.Endings) {
			own := *words
			if d.Name == "" {
				own.name = ending
			}
			byEnding["."+ending] = &own
		}
		for word := range words.keywords {
			all.keywords[word] = true
		}
	}
	byEnding[""] = all
	return byEnding
}}

func dialectOf(name string) dialect {
	ending := strings.ToLower(path.Ext(name))
	if d := dialects.Get()[ending]; d != nil && ending != "" {
		return *d
	}
	d := *dialects.Get()[""]
	d.name = strings.TrimPrefix(ending, ".")
	return d
}

// Language returns the language of a file by its extension, as patterns distinguish languages.
func Language(name string) string { return dialectOf(name).name }

// defining lists words that make the next name a declaration instead of a call.
var defining = lazy.Words("func def fn function fun sub class struct interface int void char float double long short bool boolean auto string String static get set")
