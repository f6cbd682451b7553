package golang

import (
	"go/ast"
	"maps"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/source"
)

// mostNested bounds how deep structs that are written within each other are read.
const mostNested = 8

// tagged reads the tags by which libraries fill fields from the environment: `env:"PORT" envDefault:"80"`,
// `env:"PORT, default=80"`, `envconfig:"PORT" default:"80"`.
func (e *environment) tagged(t *ast.StructType, prefix string, depth int) {
	for _, f := range t.Fields.List {
		tag := tagOf(f)
		if inner, ok := f.Type.(*ast.StructType); ok && depth < mostNested {
			e.tagged(inner, prefix+tag.Get("envPrefix"), depth+1)
			continue
		}
		if _, ok := tag.Lookup("cmd"); ok || tag.Get("help") != "" || tag.Get("long") != "" {
			continue // of a library for commands
		}
		name, options, _ := strings.Cut(tag.Get("env"), ",")
		fact := source.Fact{Kind: source.Env, Default: tag.Get("envDefault")}
		if name == "" {
			name, fact.Default = tag.Get("envconfig"), tag.Get("default")
		}
		for option := range strings.SplitSeq(options, ",") {
			if value, ok := strings.CutPrefix(strings.TrimSpace(option), "default="); ok {
				fact.Default = value
			}
		}
		if fact.Name = prefix + name; isVariable(fact.Name) {
			fact.Help = firstSentence(e.r.docText(f.Doc))
			e.note(fact, f)
		}
	}
}

// firstSentence is how a documentation begins, in one line.
func firstSentence(doc string) string {
	doc, _, _ = strings.Cut(doc, "\n\n")
	doc = strings.Join(strings.Fields(doc), " ")
	if i := strings.Index(doc, ". "); i >= 0 {
		doc = doc[:i]
	}
	return strings.TrimSuffix(doc, ".")
}

// prefixed notes the variables of viper, which all begin with what the file sets: `PREFIX_*`.
func (e *environment) prefixed() {
	prefixes, automatic := map[string]string{}, map[string]*ast.CallExpr{}
	ast.Inspect(e.r.tree, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		sel, ok := call.Fun.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		switch sel.Sel.Name {
		case "SetEnvPrefix":
			if len(call.Args) == 1 {
				prefixes[dotted(sel.X)], _ = e.text(call.Args[0])
			}
		case "AutomaticEnv":
			automatic[dotted(sel.X)] = call
		}
		return true
	})
	for _, owner := range slices.Sorted(maps.Keys(automatic)) {
		if prefix := strings.ToUpper(prefixes[owner]); prefix != "" && owner != "" {
			e.note(source.Fact{Kind: source.Env, Name: prefix + "_*", Help: "overrides keys of the configuration"}, automatic[owner])
		}
	}
}
