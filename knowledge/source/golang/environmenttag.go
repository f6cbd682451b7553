package golang

import (
	"bytes"
	"cmp"
	"go/ast"
	"maps"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/lazy"
	"github.com/causaldocs/causal/knowledge/source"
)

const mostNested = 8

// tagForms are the tags of libraries that fill fields from the environment, with their companion tags.
var tagForms = lazy.Value[[]struct{ name, value, required string }]{Make: func() []struct{ name, value, required string } {
	return []struct{ name, value, required string }{{"env", "envDefault", "required"}, {"env", "env-default", "env-required"}, {"envconfig", "default", "required"}}
}}

// tagged reads tags that fill fields from the environment: `env:"PORT" envDefault:"80"`, `env:"PORT, default=80"`,
// `envconfig:"PORT" default:"80"`.
func (e *environment) tagged(t *ast.StructType, prefix string, depth int) {
	for _, f := range t.Fields.List {
		tag := tagOf(f)
		if inner, ok := f.Type.(*ast.StructType); ok && depth < mostNested {
			e.tagged(inner, prefix+tag.Get("envPrefix"), depth+1)
			continue
		}
		if _, ok := tag.Lookup("cmd"); ok || tag.Get("help") != "" || tag.Get("long") != "" {
			continue // of a command-line library
		}
		name, fact := "", source.Fact{Kind: source.Env}
		for _, form := range tagForms.Get() {
			own, options, _ := strings.Cut(tag.Get(form.name), ",")
			if own == "" || name != "" && own != name {
				continue
			}
			name, fact.Default = own, cmp.Or(fact.Default, tag.Get(form.value))
			required := tag.Get(form.required) == "true"
			for option := range strings.SplitSeq(options, ",") {
				option = strings.TrimSpace(option)
				if value, ok := strings.CutPrefix(option, "default="); ok {
					fact.Default = value
				}
				required = required || option == "required" || option == "notEmpty"
			}
			if required {
				fact.Usage = source.Required
			}
		}
		if fact.Name = prefix + name; isVariable(fact.Name) {
			fact.Help = firstSentence(e.r.docText(f.Doc))
			e.note(fact, f)
		}
	}
}

func firstSentence(doc string) string {
	doc, _, _ = strings.Cut(doc, "\n\n")
	doc = strings.Join(strings.Fields(doc), " ")
	if i := strings.Index(doc, ". "); i >= 0 {
		doc = doc[:i]
	}
	return strings.TrimSuffix(doc, ".")
}

const viperKeys = "*viper"

// viper adds the keys and variables of viper: named ones, and `PREFIX_*` if the file sets a prefix for all.
func (e *environment) viper() {
	if !bytes.Contains(e.r.src, []byte("viper")) {
		return
	}
	prefixes, automatic, bound := map[string]string{}, map[string]*ast.CallExpr{}, []*ast.CallExpr(nil)
	ast.Inspect(e.r.tree, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		sel, ok := call.Fun.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		switch owner := dotted(sel.X); {
		case sel.Sel.Name == "SetEnvPrefix" && len(call.Args) == 1:
			prefixes[owner], _ = e.text(call.Args[0])
		case sel.Sel.Name == "AutomaticEnv":
			automatic[owner] = call
		case sel.Sel.Name == "SetDefault" && len(call.Args) == 2 && e.imported["viper"]:
			e.key(call)
		case sel.Sel.Name == "BindEnv" && len(call.Args) > 0 && e.imported["viper"]:
			bound = append(bound, call)
		}
		return true
	})
	for _, call := range bound {
		e.bound(call, prefixes[dotted(call.Fun.(*ast.SelectorExpr).X)])
	}
	for _, owner := range slices.Sorted(maps.Keys(automatic)) {
		if prefix := strings.ToUpper(prefixes[owner]); prefix != "" && owner != "" {
			e.note(source.Fact{Kind: source.Env, Name: prefix + "_*", Help: "overrides keys of the configuration"}, automatic[owner])
		}
	}
}

func (e *environment) key(call *ast.CallExpr) {
	if name, ok := e.text(call.Args[0]); ok {
		not := e.absenceOf(call.Args[1])
		e.note(source.Fact{Kind: source.Config, ID: viperKeys, Of: source.Program}, call)
		e.note(source.Fact{Kind: source.Config, Name: name, Of: viperKeys, Default: not.value, Usage: not.usage}, call)
	}
}

// bound adds the variables that a call binds to a key: named ones, or one derived from the key.
func (e *environment) bound(call *ast.CallExpr, prefix string) {
	key, ok := e.text(call.Args[0])
	if len(call.Args) == 1 && ok {
		if prefix != "" {
			key = prefix + "_" + key
		}
		e.note(source.Fact{Kind: source.Env, Name: strings.ToUpper(key), Help: "overrides a key of the configuration"}, call)
		return
	}
	for _, a := range call.Args[1:] {
		e.note(source.Fact{Kind: source.Env, Name: e.spelled(a, nil, nil), Help: "overrides the key " + key}, call)
	}
}
