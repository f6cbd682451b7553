package rust

import (
	"path"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/source"
)

// crates come with the compiler.
var crates = []string{"std", "core", "alloc", "proc_macro", "test"}

func init() {
	first := func(name string) string {
		name, _, _ = strings.Cut(name, "::")
		return name
	}
	source.RegisterTraits(Language{}, source.Traits{
		Entries: true, Separator: map[string]string{".rs": "::"}, Alias: reexported, Modules: modules, Rooted: "#[macro_export]", Unlisted: "#[doc(hidden)]", Own: []string{"crate::", "self::", "super::"}, Resolution: source.Resolution{Paths: "::"},
		Heads: []string{"mod", "lib"}, BuildFiles: []string{"build.rs"}, Manifests: []string{"Cargo.toml"}, Scripts: []string{".rs"},
		Test:      func(string) string { return "cargo test" },
		Standard:  func(name string) bool { return slices.Contains(crates, first(name)) },
		Installed: first, Fences: []string{"rust", "rs"}, Headed: true,
		Wrapping:   &source.Wrapping{Hoist: "use", Whole: "fn ", Before: "fn main() {\n", After: "\n}\n"},
		Terminated: true,
		Dialect: &source.Dialect{
			Name: "rust", Endings: "rs", Prime: true,
			Words: "fn let mut pub use mod impl trait where match loop move ref unsafe async await dyn type crate extern as bool char str u8 u16 " +
				"u32 u64 usize i8 i16 i32 i64 isize f32 f64",
		},
	})
}

func reexported(s *source.Symbol) string {
	if s.Kind != source.Reexport {
		return ""
	}
	_, used, _ := strings.Cut(s.Signature, "use ")
	used, _, _ = strings.Cut(used, " as ")
	return strings.ReplaceAll(strings.TrimPrefix(used, "self::"), "::", ".")
}

func modules(from source.Place, name string) []source.Place {
	dir := from.Dir
	if stem := strings.TrimSuffix(from.File, ".rs"); stem != "main" && !source.IsHead(stem) {
		dir = path.Join(dir, stem)
	}
	inner := path.Join(dir, strings.ReplaceAll(name, ".", "/"))
	return []source.Place{{Dir: path.Dir(inner), File: path.Base(inner) + ".rs"}, {Dir: inner, File: "mod.rs"}}
}
