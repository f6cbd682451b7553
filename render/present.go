package render

import (
	"errors"
	"fmt"
	"io/fs"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/causaldocs/causal/knowledge/engine"
	"github.com/causaldocs/causal/knowledge/node"
	"github.com/causaldocs/causal/knowledge/store"
	"github.com/causaldocs/causal/render/pagecheck"
)

// Present renders the pages that may have to change, and writes those that do.
func (d *Docs) Present(req engine.PageRequest) (engine.PageReport, error) {
	var report engine.PageReport
	reports := make([]engine.PageReport, len(req.Modules))
	if err := eachParallel(len(req.Modules), func(i int) error {
		m := req.Modules[i]
		if req.Stale(m) {
			return nil
		}
		n, err := d.load(req, m)
		if err != nil {
			return err
		}
		return d.present(&reports[i], req, m, d.config.Layout.Page(m), renderPage(d.config, n, req.Graph), !n.Fresh())
	}); err != nil {
		return report, err
	}
	for _, r := range reports {
		report.Written = append(report.Written, r.Written...)
		report.Drifted = append(report.Drifted, r.Drifted...)
	}
	for _, m := range req.Removed {
		if err := d.retire(&report, req, m); err != nil {
			return report, err
		}
	}
	if req.Index {
		text := renderIndex(d.config, req.Graph, introduction{req.Readme, req.Manifests})
		if err := d.present(&report, req, "", d.config.Layout.Index(), text, false); err != nil {
			return report, err
		}
	}
	return report, nil
}

// eachParallel calls fn for 0 to n-1 on all processors and returns the first error by index.
func eachParallel(n int, fn func(i int) error) error {
	errs := make([]error, n)
	var next atomic.Int64
	var group sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), n) {
		group.Go(func() {
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				errs[i] = fn(i)
			}
		})
	}
	group.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// load returns a module's node with the whole documentation of its symbols, which its file has only the openings of. The
// source of a node that keeps an old text cannot be read: what is kept has to do.
func (d *Docs) load(req engine.PageRequest, module string) (*node.Node, error) {
	if n, ok := d.stored.Load(module); ok {
		return n.(*node.Node), nil
	}
	data, err := d.files.Read(d.config.Layout.Node(module))
	if err != nil {
		return nil, fmt.Errorf("read node of %s: %w", module, err)
	}
	n, err := node.Decode(data)
	if err != nil {
		return nil, fmt.Errorf("read node of %s: %w", module, err)
	}
	if !n.Fresh() {
		return n, nil
	}
	k, err := req.Known(module)
	if err != nil {
		return nil, fmt.Errorf("read what %s documents: %w", module, err)
	}
	document(n, k)
	for _, u := range k.Module.Units {
		n.Tests = append(n.Tests, u.File.Tests...)
	}
	slices.Sort(n.Tests)
	return n, nil
}

// document gives the symbols of a node the documentation that their declarations have.
func document(n *node.Node, k *engine.Known) {
	docs := make(map[string]string, len(k.Declared))
	for i := range k.Declared {
		docs[k.Declared[i].Name] = k.Declared[i].Doc
	}
	for i := range n.PublicAPI {
		if s := &n.PublicAPI[i]; s.Doc != "" {
			s.Doc = docs[s.Name]
		}
	}
}

const (
	mendUpdate  = "causal update"
	mendForeign = "move that file away, or set another docs.dir in .causal/config.yml"
)

// present compares a page with what it should be, and mends it when that is asked for. A page that keeps an old text may
// lead to what is gone: that is what its banner says, and nobody can mend it before the module can be read again.
func (d *Docs) present(report *engine.PageReport, req engine.PageRequest, module, name, generated string, kept bool) error {
	drift := func(because, mend string, blocked bool) {
		report.Drifted = append(report.Drifted, engine.Drift{Module: module, Page: name, Because: because, Mend: mend, Blocked: blocked})
	}
	old, err := d.files.Read(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		old = nil
	case errors.Is(err, store.ErrOccupied):
		drift(err.Error()+" and is never overwritten", mendForeign, true)
		return nil
	case err != nil:
		return fmt.Errorf("read page: %w", err)
	case !isOurs(old):
		drift(name+" was not written by causal and is never overwritten", mendForeign, true)
		return nil
	}
	was, keeps, err := splitPage(old)
	if err != nil {
		drift(err.Error(), "edit "+name, true)
		return nil
	}
	content := []byte(joinPage(generated, keeps))
	if old == nil || !sameGenerated(was, generated) {
		if !req.Write {
			because := "the page differs from its node"
			if old == nil {
				because = "the page is missing"
			}
			drift(because, mendUpdate, false)
			return nil
		}
		changed, err := d.files.Write(name, content)
		if err != nil {
			return err
		}
		if changed {
			report.Written = append(report.Written, name)
		}
	}
	if kept {
		return nil
	}
	for _, p := range pagecheck.Check([]pagecheck.Page{{Path: name, Content: content}}, req.Exists) {
		if p.Severity == pagecheck.Error {
			drift(fmt.Sprintf("line %d: %s", p.Line, p.What), p.Mend, true)
		}
	}
	return nil
}

// retire removes the page of a module that is no more. Words that a person left on it stay.
func (d *Docs) retire(report *engine.PageReport, req engine.PageRequest, module string) error {
	name := d.config.Layout.Page(module)
	old, err := d.files.Read(name)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, store.ErrOccupied) || err == nil && !isOurs(old) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("read page: %w", err)
	}
	_, keeps, err := splitPage(old)
	if err != nil {
		report.Drifted = append(report.Drifted, engine.Drift{Module: module, Page: name, Because: err.Error(), Mend: "edit " + name, Blocked: true})
		return nil
	}
	generated := ""
	if len(keeps) > 0 {
		generated = d.farewell(module)
	}
	if len(keeps) > 0 && string(old) == joinPage(generated, keeps) {
		return nil
	}
	if !req.Write {
		report.Drifted = append(report.Drifted, engine.Drift{Module: module, Page: name, Because: "the module is no longer documented", Mend: mendUpdate})
		return nil
	}
	if len(keeps) > 0 {
		if _, err := d.files.Write(name, []byte(joinPage(generated, keeps))); err != nil {
			return err
		}
		report.Written = append(report.Written, name)
		return nil
	}
	report.Removed = append(report.Removed, name)
	return d.files.Remove(name, d.config.Layout.Docs)
}

// farewell is the page of a module that is gone but for what a person wrote on its page.
func (d *Docs) farewell(module string) string {
	var f front
	f.open()
	f.text("type", "Removed Module")
	f.text("title", module)
	f.by()
	head := bareMark + "\n"
	if d.config.FrontMatter {
		head = f.close()
	}
	return head + strings.Join([]string{
		"# " + module + "\n", "This module is no longer there. The notes below are kept until somebody removes them.\n",
	}, "\n")
}
