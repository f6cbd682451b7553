package java

import (
	"strings"

	"github.com/causaldocs/causal/knowledge/lazyregexp"
	"github.com/causaldocs/causal/knowledge/source"
)

var internal = lazyregexp.New(`(^|\.)internal(\.|$)`)

func init() {
	source.RegisterTraits(Language{}, source.Traits{
		Entries: true, Overloads: true, Public: []string{"public", "protected"}, Resolution: source.Resolution{Members: true, Paths: ".", Lower: 2, Converts: true},
		Inside:   func(u *source.Unit, _ *source.Symbol) bool { return internal.MatchString(u.File.Package) },
		Packages: true, PackageFiles: []string{".java"}, Imported: true, Root: "src/main/java", Services: "META-INF/services",
		Standard: func(name string) bool {
			return strings.HasPrefix(name, "java.") || strings.HasPrefix(name, "javax.") || strings.HasPrefix(name, "jdk.")
		},
		Fences:     []string{"java"},
		Wrapping:   &source.Wrapping{Hoist: "import package", Whole: "class ", Before: "class Snippet { void snippet() {\n", After: "\n} }\n"},
		Terminated: true, LongStrings: []string{`"""`},
		Dialect: &source.Dialect{
			Name: "java", Endings: "java kt kts scala cs groovy gradle",
			Words: "abstract assert boolean byte char double extends final finally float implements instanceof int interface long native package " +
				"private protected public short synchronized throws transient volatile var val fun record string bool using namespace override",
		},
	})
}
