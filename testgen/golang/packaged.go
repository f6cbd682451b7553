package golang

import (
	"go/ast"

	"github.com/causaldocs/causal/knowledge/lazyregexp"
)

// mostPackaged is how many texts of the documentation of a package are tried for one function.
const mostPackaged = 40

// packaged takes the texts that the documentation of the package names, and its README, for a function that reads text and may fail, or
// makes a type of the package of it: such a documentation shows what the package reads. Words alone are names there, and of texts that
// differ in letters and digits alone the first is enough.
func (p *Planner) packaged(f *function, s *seeds) {
	makes := resultName(f.decl)
	if !takesText(f.decl) || makes != "error" && p.types[makes] == nil {
		return
	}
	room, shapes := len(s.texts)+mostPackaged, map[string]bool{}
	for _, from := range []said{{p.doc, "the documentation of the package names it"}, {p.readme, "the README names it"}} {
		for _, m := range inDoc.FindAllStringSubmatch(from.text, -1) {
			text := m[1] + m[2] + m[3]
			shape := someLetters.ReplaceAllString(someDigits.ReplaceAllString(text, "0"), "a")
			if len(s.texts) < room && !shapes[shape] && !plainWord.MatchString(text) {
				shapes[shape] = true
				s.add(text, fromPackage, from.why)
			}
		}
	}
}

var (
	someDigits  = lazyregexp.New(`\d+`)
	someLetters = lazyregexp.New(`\pL+`)
	// plainWord is a name, a call of one, a path, or an address.
	plainWord = lazyregexp.New(`^[\pL_./]*(?:\(.*\))?$|://|^[\w.-]+(?:/[\w.-]+){2,}$`)
)

// takesText reports whether the first parameter of a function is a text.
func takesText(d *ast.FuncDecl) bool {
	if len(d.Type.Params.List) == 0 {
		return false
	}
	id, ok := d.Type.Params.List[0].Type.(*ast.Ident)
	return ok && id.Name == "string"
}
