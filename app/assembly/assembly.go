// Package assembly joins the engine with the languages and the plugins that this program has, in the same way for whoever
// runs it: the command line on a work tree, the server on a commit.
package assembly

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/causaldocs/causal/app/config"
	"github.com/causaldocs/causal/knowledge/engine"
	"github.com/causaldocs/causal/knowledge/index"
	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/knowledge/source/languages"
	"github.com/causaldocs/causal/knowledge/store"
	"github.com/causaldocs/causal/render"
)

// Parts are what differs from run to run.
type Parts struct {
	Tree   engine.Tree
	Index  *index.Index
	Dir    *store.Dir
	Config *config.Config
}

// Layout is where a repository keeps what causal writes.
func Layout(c *config.Config) store.Layout { return store.Layout{Docs: c.Docs.Dir} }

// Engine prepares one run.
func Engine(p Parts) *engine.Engine {
	return engine.New(engine.Config{
		Tree: p.Tree, Index: p.Index, Dir: p.Dir, Layout: Layout(p.Config), Languages: languages.All(), Excluded: p.Config.Excluded,
		MaxBytes: p.Config.MaxFileBytes, Generator: generator(),
		Plugin: func(l engine.Library) engine.Plugin { return Docs(p, l) },
	})
}

// Docs is the plugin that writes the living docs.
func Docs(p Parts, l engine.Library) *render.Docs {
	return render.New(render.Config{
		Layout: Layout(p.Config), Repository: strings.TrimSuffix(p.Config.Repository, "/"), Branch: p.Config.Branch,
		FrontMatter: p.Config.Docs.FrontMatter,
	}, l, p.Dir)
}

// Key identifies what an index was planned with. view tells apart what is seen through different kinds of trees.
func Key(c *config.Config, view string) string {
	parts := []string{render.Version, "rules/" + strconv.Itoa(source.Rules), c.Key(), view}
	for _, l := range languages.All() {
		parts = append(parts, l.Name()+"/"+strconv.Itoa(l.Version()))
	}
	return strings.Join(parts, "\n")
}

// generator names the versions that take part in a conclusion: plugin, language, model.
func generator() func(string) string {
	versions := map[string]int{}
	for _, l := range languages.All() {
		versions[l.Name()] = l.Version()
	}
	return func(language string) string {
		return fmt.Sprintf("%s %s/%d none", render.Version, strings.ReplaceAll(language, " ", "-"), versions[language])
	}
}
