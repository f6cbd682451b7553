package enginetest

import (
	"testing"

	"github.com/causaldocs/causal/knowledge/engine"
)

// Project is a Repository with plugins, for tests that update it.
type Project struct {
	*Repository
	t       testing.TB
	prepare func(r *Repository, own *Files, c *engine.Config)
}

// NewProject returns a Project that ends with the test. prepare completes the configuration of each run, as for
// Prepared.
func NewProject(t testing.TB, files map[string]string, prepare func(r *Repository, own *Files, c *engine.Config)) *Project {
	t.Helper()
	p := &Project{NewRepository(t.TempDir(), files), t, prepare}
	t.Cleanup(func() { check(t, p.Close()) })
	return p
}

// Engine prepares one run. Options change its configuration.
func (p *Project) Engine(options ...func(c *engine.Config)) *engine.Engine {
	p.t.Helper()
	own := p.Files()
	c, err := p.Open(own)
	check(p.t, err)
	p.prepare(p.Repository, own, &c)
	for _, o := range options {
		o(&c)
	}
	return engine.New(c)
}

// Update brings the project up to date.
func (p *Project) Update(options ...func(c *engine.Config)) *engine.Report {
	p.t.Helper()
	r, err := p.Engine(options...).Update(p.t.Context())
	check(p.t, err)
	return r
}
