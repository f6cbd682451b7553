package golang

import (
	"go/ast"

	"github.com/causaldocs/causal/knowledge/lazyregexp"
	"github.com/causaldocs/causal/testgen"
)

const mostPackaged = 40

// packaged adds texts of the package documentation for a function that parses text: one that returns only an error, or
// a type of the package.
func (p *Package) packaged(f *function, s *seeds) {
	makes := resultName(f.decl)
	if !takesText(f.decl) || makes != "error" && p.types[makes] == nil {
		return
	}
	s.Most = len(s.Texts) + mostPackaged
	for _, x := range p.quotes() {
		s.Text(x.text, testgen.FromPackage, x.why)
	}
	s.Most = mostSeeds
}

// quotes returns quoted texts of the package documentation and the README, without plain words, and one of each shape.
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
	// plainWord matches names, calls, paths and URLs.
	plainWord = lazyregexp.New(`^[\pL_./]*(?:\(.*\))?$|://|^[\w.-]+(?:/[\w.-]+){2,}$`)
)

func takesText(d *ast.FuncDecl) bool {
	if len(d.Type.Params.List) == 0 {
		return false
	}
	id, ok := d.Type.Params.List[0].Type.(*ast.Ident)
	return ok && id.Name == "string"
}
