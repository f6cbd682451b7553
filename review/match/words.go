package match

import (
	"path"
	"strings"

	"github.com/causaldocs/causal/knowledge/lazy"
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

// dialects maps file extensions to languages. An unlisted extension is its own language, with the keywords of all.
var dialects = lazy.Value[map[string]*dialect]{Make: func() map[string]*dialect {
	byEnding, all := map[string]*dialect{}, &dialect{keywords: map[string]bool{}}
	for _, d := range []struct{ name, endings, words string }{
		{"go", "go", "func package var type interface map chan go defer select range fallthrough goto"},
		{"python", "py pyi pyw", "def lambda from as with assert async await del elif except finally global nonlocal pass raise yield match"},
		{
			"javascript", "js jsx mjs cjs ts tsx mts cts vue svelte",
			"function var let typeof instanceof of async await yield delete export extends finally get set interface type implements " +
				"namespace declare readonly abstract public private protected keyof as from number string boolean any unknown never",
		},
		{
			"java", "java kt kts scala cs groovy gradle",
			"abstract assert boolean byte char double extends final finally float implements instanceof int interface long native package " +
				"private protected public short synchronized throws transient volatile var val fun record string bool using namespace override",
		},
		{
			"rust", "rs",
			"fn let mut pub use mod impl trait where match loop move ref unsafe async await dyn type crate extern as bool char str u8 u16 " +
				"u32 u64 usize i8 i16 i32 i64 isize f32 f64",
		},
		{
			"c", "c h cc cpp cxx hh hpp hxx m mm cu",
			"auto char double extern float goto int long register short signed sizeof typedef union unsigned volatile inline bool namespace " +
				"template typename using public private protected virtual operator delete constexpr noexcept override final include define ifdef ifndef endif",
		},
		{"ruby", "rb rake", "def end module unless until then elsif begin rescue ensure yield puts require attr_reader attr_accessor"},
		{"shell", "sh bash zsh", "then fi done esac elif function local export echo exit set"},
		{"hash", "yml yaml toml pl pm r jl ex exs tf cmake", ""},
	} {
		words := &dialect{name: d.name, keywords: set(everywhere + " " + d.words), prime: d.name == "rust"}
		words.hash = strings.Contains(" python ruby shell hash ", " "+d.name+" ")
		for _, ending := range strings.Fields(d.endings) {
			own := *words
			if d.name == "hash" {
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

func set(words string) map[string]bool {
	m := map[string]bool{}
	for _, word := range strings.Fields(words) {
		m[word] = true
	}
	return m
}

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
var defining = lazy.Value[map[string]bool]{Make: func() map[string]bool {
	return set("func def fn function fun sub class struct interface int void char float double long short bool boolean auto string String static get set")
}}
