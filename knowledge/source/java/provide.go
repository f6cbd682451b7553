package java

import (
	"strings"

	"github.com/causaldocs/causal/knowledge/source"
)

// provides reads the service providers of a module declaration. It adds imports for the named types.
func (p *parser) provides(from, to int32) {
	named := map[string]string{} // by simple name; ambiguous names are skipped
	take := func(full string, line int) string {
		dot := strings.LastIndexByte(full, '.')
		if dot < 0 {
			return ""
		}
		simple := full[dot+1:]
		switch was, twice := named[simple]; {
		case twice && was != full:
			return ""
		case !twice:
			named[simple] = full
			p.imports = append(p.imports, source.Import{Path: full[:dot], Names: []source.Name{{Name: simple}}, Line: line})
		}
		return simple
	}
	for i := from; i < to; i++ {
		if !p.isWord(i, "provides") || p.kind(i-1) != ';' && p.kind(i-1) != '{' && p.kind(i-1) != '}' {
			continue
		}
		line := int(p.line(i))
		service, at := p.dotted(i + 1)
		if service == "" || !p.isWord(at, "with") {
			continue
		}
		of := take(service, line)
		for more := true; more; more = p.kind(at) == ',' {
			var provider string
			if provider, at = p.dotted(at + 1); provider == "" {
				break
			}
			if id := take(provider, line); of != "" && id != "" {
				p.provided = append(p.provided, source.Fact{Kind: source.Register, Of: of, ID: id, Line: line})
			}
		}
		i = at
	}
}
