package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/causaldocs/causal/app/config"
	"github.com/causaldocs/causal/app/workspace"
	"github.com/causaldocs/causal/knowledge/store"
	"github.com/causaldocs/causal/render/node"
)

// files holds the files that causal wrote in a clone, by path.
type files map[string][]byte

func layout() store.Layout { return store.Layout{Docs: config.Default().Docs.Dir} }

// pageDirs are the directories that may hold pages: with the default settings it depends on whether the repository has a site.
var pageDirs = []string{config.Default().Docs.Dir, workspace.BesideSite}

func isPage(p string) bool {
	return slices.ContainsFunc(pageDirs, func(dir string) bool { return store.Layout{Docs: dir}.IsPage(p) })
}

// written reads the nodes and pages of a clone. Frames are provenance, and are not compared.
func written(dir string) (files, error) {
	out := files{}
	for _, top := range own() {
		err := fs.WalkDir(os.DirFS(dir), top, func(p string, d fs.DirEntry, err error) error {
			if errors.Is(err, fs.ErrNotExist) && p == top {
				return fs.SkipDir
			}
			if err != nil || d.IsDir() || !layout().IsNode(p) && !isPage(p) {
				return err
			}
			out[p], err = os.ReadFile(filepath.Join(dir, filepath.FromSlash(p)))
			return err
		})
		if err != nil {
			return nil, fmt.Errorf("read nodes and pages: %w", err)
		}
	}
	return out, nil
}

// nodes decodes the node files, by module. One that cannot be read is left out: the comparison of files shows it.
func (f files) nodes() map[string]*node.Node {
	out := map[string]*node.Node{}
	for p, data := range f {
		module, ok := layout().ModuleOf(p)
		if !ok || !layout().IsNode(p) {
			continue
		}
		if n, err := node.Decode(data); err == nil {
			out[module] = n
		}
	}
	return out
}

func withoutProvenance(n *node.Node) *node.Node {
	c := *n
	c.FrameID = ""
	c.Sources, c.PublicAPI = slices.Clone(n.Sources), slices.Clone(n.PublicAPI)
	for i := range c.PublicAPI {
		c.PublicAPI[i].At, c.PublicAPI[i].Lines = "", ""
	}
	return &c
}

// settled returns a node file without the places of symbols. Other files are unchanged.
func settled(name string, data []byte) []byte {
	n, err := node.Decode(data)
	if err != nil || !bytes.Equal(n.Encode(), data) {
		return data
	}
	return withoutProvenance(n).Encode()
}
