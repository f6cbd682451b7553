package clones

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/causaldocs/causal/render/node"
)

// Nodes reads the nodes in a work tree.
func Nodes(root string) ([]*node.Node, error) {
	files := os.DirFS(filepath.Join(root, ".causal", "nodes"))
	var out []*node.Node
	err := fs.WalkDir(files, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := fs.ReadFile(files, name)
		if err != nil {
			return err
		}
		n, err := node.Decode(data)
		if err != nil {
			return fmt.Errorf("read the node %s: %w", name, err)
		}
		out = append(out, n)
		return nil
	})
	return out, err
}
