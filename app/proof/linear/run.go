package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/causaldocs/causal/knowledge/engine"
	"github.com/causaldocs/causal/knowledge/engine/enginetest"
	"github.com/causaldocs/causal/knowledge/source/languages"
	"github.com/causaldocs/causal/knowledge/survey"
	"github.com/causaldocs/causal/knowledge/survey/surveytest"
	"github.com/causaldocs/causal/render"
)

// readRun updates an in-memory repository with the text in one file.
func readRun(file, before, behind string) func(string) error {
	return func(text string) (err error) {
		dir, err := os.MkdirTemp("", "linear-run-")
		if err != nil {
			return err
		}
		defer func() { _ = os.RemoveAll(dir) }()
		r := enginetest.NewRepository(dir, map[string]string{
			"go.mod": "module x\n", "a/a.go": "package a\n\nfunc A() {}\n", "b/b.py": "def b(): pass\n",
			file: before + strings.ReplaceAll(text, "*/", "* /") + behind,
		})
		defer func() { _ = r.Close() }()
		own := r.Files()
		c, err := r.Open(own)
		if err != nil {
			return fmt.Errorf("open a made-up repository: %w", err)
		}
		pages := render.Config{Layout: r.Layout, FrontMatter: true}
		look := survey.New(survey.Config{
			Tree: surveytest.Tree{Files: r}, Index: c.Index, Batch: c.Batch, Languages: languages.All(), Owned: r.Layout.Owns,
			Excluded: func(string) bool { return false }, MaxBytes: 16 << 20, Settings: survey.Settings("", true),
		})
		defer func() { err = errors.Join(err, look.Wait()) }()
		c.World, c.Words, c.Plugins = look, survey.Words, []engine.Plugin{render.New(pages, own, languages.All(), look.LeftOut)}
		if _, err := engine.New(c).Update(context.Background()); err != nil {
			return fmt.Errorf("bring it up to date: %w", err)
		}
		return nil
	}
}
