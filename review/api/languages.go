package api

import "github.com/causaldocs/causal/knowledge/source"

// language is how the exports of one language are compared.
type language struct {
	compare func(p *pair, language string) ([]breakage, error)
	// checks is set if compare itself looks for unreadable sources, which hide declarations.
	checks bool
	// signature and calls compare the calls of functions in files with the extensions typed.
	signature func(d *source.Declared) (source.Header, bool)
	calls     func(was, now source.Header) (kind, why string)
	typed     []string
	// generic begins the type arguments of a call.
	generic byte
	// scoped is set if only the file of a directory makes exports public, underscored if that holds for files with an
	// underscore. Either lets files of a directory import each other, unchecked by a compiler.
	scoped, underscored bool
	// beside is set if users in other files of the directory are listed.
	beside bool
}

// compared are the languages whose exports are compared, by name.
var compared map[string]language

func init() {
	compared = map[string]language{
		"go":         {compare: (*pair).golang, generic: '['},
		"python":     {compare: (*pair).python, signature: pythonSignature, calls: pythonCalls, typed: []string{".py"}, underscored: true, beside: true},
		"typescript": {compare: (*pair).ecma, checks: true, signature: ecmaSignature, calls: ecmaCalls, typed: []string{".ts", ".tsx"}, generic: '<', scoped: true, beside: true},
		"javascript": {compare: (*pair).ecma, checks: true, scoped: true, beside: true},
		"java":       {compare: (*pair).java, beside: true},
		"rust":       {compare: (*pair).rust, beside: true},
		"c":          {compare: (*pair).cfamily, checks: true},
		"c++":        {compare: (*pair).cfamily, checks: true},
	}
}
