package cli

import (
	_ "embed"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"strings"

	"github.com/causaldocs/causal/app/workspace"
	"github.com/causaldocs/causal/knowledge/canonical"
)

const siteHook = workspace.SiteHook

// siteConfigs are MkDocs' configuration files; init writes the first.
var siteConfigs = []string{"mkdocs.yml", "mkdocs.yaml"}

const siteIgnored = "/site/\n"

var (
	//go:embed site/mkdocs.yml
	siteConfig string
	//go:embed site/mkdocs_links.py
	siteHookText string
)

// createSite writes the MkDocs files. It never changes an existing site, and reports the lines that it lacks.
func (p *place) createSite(repository string) error {
	for _, name := range siteConfigs {
		old, err := p.Files.Read(name)
		switch {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			return fmt.Errorf("read %s: %w", name, err)
		case !strings.Contains(string(old), siteHook):
			return p.siteByHand(name)
		}
	}
	site, address := filepath.Base(p.Repo.Root()), ""
	if repository != "" {
		site, address = path.Base(repository), "repo_url: "+canonical.Scalar(repository)+"\n"
	}
	text := strings.NewReplacer("SITE_NAME", canonical.Scalar(site), "REPO_URL\n", address, "DOCS_DIR", canonical.Scalar(p.Layout.Docs), "HOOK", siteHook).Replace(siteConfig)
	if _, err := p.create(siteConfigs[0], text); err != nil {
		return err
	}
	if _, err := p.create(siteHook, siteHookText); err != nil {
		return err
	}
	return p.appendLines(".gitignore", []string{siteIgnored})
}

// siteByHand writes the hook, and reports the lines that an existing site configuration needs.
func (p *place) siteByHand(name string) error {
	if _, err := p.create(siteHook, siteHookText); err != nil {
		return err
	}
	_, extensions, _ := strings.Cut(siteConfig, "markdown_extensions:\n")
	return usage(fmt.Errorf("%s exists and is never overwritten; add the missing lines of these:\n\nhooks: [%s]\nmarkdown_extensions:\n%s\n%s must be under its docs_dir",
		name, siteHook, extensions, p.Layout.Docs))
}
