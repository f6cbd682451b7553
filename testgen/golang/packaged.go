package golang

import (
	"go/ast"

	"github.com/causaldocs/causal/knowledge/lazyregexp"
)

// mostPackaged is how many texts of the documentation of a package are tried for one function.
const mostPackaged = 40

// packaged takes the texts that the documentation of the package shows for a function that reads text and may fail, or makes a type of the
// package of it: such a documentation shows what the package reads.
func (p *Planner) packaged(f *function, s *seeds) {
	makes := resultName(f.decl)
	if !takesText(f.decl) || makes != "error" && p.types[makes] == nil {
		return
	}
	room := len(s.texts) + mostPackaged
	for _, x := range p.quotes() {
		if len(s.texts) < room {
			s.add(x.text, fromPackage, x.why)
		}
	}
}

// quotes are the texts that the documentation of the package names, and its README. Words alone are names there, and of texts that
// differ in letters and digits alone the first is enough.
func (p *Package) quotes() []said {
	if p.quoted != nil {
		return p.quoted
	}
	p.quoted = []said{}
	shapes := map[string]bool{}
	for _, from := range []said{{p.doc, "the documentation of the package names it"}, {p.readme, "the README names it"}} {
		for _, m := range inDoc.FindAllStringSubmatch(from.text, -1) {
			text := m[1] + m[2] + m[3]
			shape := someLetters.ReplaceAllString(someDigits.ReplaceAllString(text, "0"), "a")
			if !shapes[shape] && !plainWord.MatchString(text) {
				shapes[shape] = true
				p.quoted = append(p.quoted, said{text, from.why})
			}
		}
	}
	return p.quoted
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
