package cli

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/causaldocs/causal/app/config"
	"github.com/causaldocs/causal/app/plain"
	"github.com/causaldocs/causal/app/skills"
	"github.com/causaldocs/causal/knowledge/canonical"
	"github.com/causaldocs/causal/knowledge/lazyregexp"
	"github.com/causaldocs/causal/knowledge/skill"
	"github.com/causaldocs/causal/knowledge/store"
)

func newInit(world IO) *cobra.Command {
	var flags initFlags
	var yes bool
	c := &cobra.Command{
		Use:   "init [path]",
		Short: "Set up causal in a repository",
		Long: `Write .causal/config.yml, its JSON Schema for editors, and lines in .gitattributes that collapse the knowledge nodes in
reviews. --workflow also writes a GitHub workflow that runs causal check on pull requests; --site also writes the MkDocs
configuration for a site of the pages; --skills also writes two skills and their schema. The command asks nothing and leaves existing files unchanged.

It also creates a key that signs the records of this clone (see causal verify). The private key stays in .git/causal/key.
Commit the public key under .causal/log/keys/, so others can verify the signatures.`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return inPlace(cmd.Context(), world, first(args, "."), func(p *place) error { return p.init(cmd.Context(), flags) })
		},
	}
	c.Flags().BoolVar(&flags.workflow, "workflow", false, "also write "+workflowPath)
	c.Flags().BoolVar(&flags.site, "site", false, "also write "+siteConfigs[0]+" and "+siteHook)
	c.Flags().BoolVar(&flags.skills, "skills", false, "also write the skills changelog and onboarding under "+skill.Dir)
	c.Flags().BoolVarP(&yes, "yes", "y", false, "accepted for scripts; the command never asks")
	return c
}

const configTemplate = `# yaml-language-server: $schema=config.schema.json
# All keys are described in config.schema.json, in this directory, and in causal's documentation.
version: 1
%s`

// attributes collapse generated files in reviews, except those that people edit.
var attributes = []string{".causal/** linguist-generated=true\n", ".causal/principles/** linguist-generated=false\n", ".causal/specs/** linguist-generated=false\n"}

const skillAttributes = skill.Dir + "/*.yml linguist-generated=false\n"

type initFlags struct{ workflow, site, skills bool }

func (p *place) init(ctx context.Context, flags initFlags) error {
	repository, branch, err := p.remote(ctx)
	if err != nil {
		return err
	}
	if err := p.createConfig(repository, branch); err != nil {
		return err
	}
	if flags.workflow {
		if err := p.createWorkflow(branch); err != nil {
			return err
		}
	}
	lines := attributes
	if flags.skills {
		lines = append(slices.Clone(lines), skillAttributes)
	}
	if err := p.appendLines(".gitattributes", lines); err != nil {
		return err
	}
	if err := p.initKey(ctx); err != nil {
		return err
	}
	if flags.skills {
		if err := p.createSkills(); err != nil {
			return err
		}
	}
	if flags.site {
		if err := p.createSite(cmp.Or(p.Config.Repository, repository)); err != nil {
			return err
		}
	}
	_, _ = fmt.Fprintln(p.world.Err, "next: causal update")
	return nil
}

// createConfig writes the configuration and its schema. The repository may be empty.
func (p *place) createConfig(repository, branch string) error {
	text := ""
	if repository != "" {
		text += "repository: " + canonical.Scalar(repository) + "\n"
	}
	if branch != config.Default().Branch {
		text += "branch: " + canonical.Scalar(branch) + "\n"
	}
	_, err := p.create(store.Config, fmt.Sprintf(configTemplate, text))
	if err == nil {
		_, err = p.create(store.Top+"/config.schema.json", string(config.Schema))
	}
	return err
}

// linkedHosts are the hosts whose addresses of files [configure] knows.
var linkedHosts = lazyregexp.New(`^https://git(?:hub|lab)\.com/`)

// configure writes a configuration before the first update of a clone from a known host: with the address of the
// repository, links to the code have lines.
func configure(ctx context.Context, world IO, at string) error {
	return inPlace(ctx, world, at, func(p *place) error {
		entries, err := os.ReadDir(filepath.Join(p.Repo.Root(), store.Top))
		if err == nil && len(entries) > 0 || err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil // not the first update
		}
		head, err := p.Repo.DefaultRemoteBranch(ctx, "origin")
		if head == "" {
			return err // no clone
		}
		repository, branch, err := p.remote(ctx)
		if err != nil || !linkedHosts.MatchString(repository) {
			return err
		}
		p.world.Out = p.world.Err
		return p.createConfig(repository, branch)
	})
}

func (p *place) createSkills() error {
	schema, err := skillSchema()
	if err != nil {
		return err
	}
	for _, f := range append(skills.Shipped(), skill.File{Name: skills.SchemaFile, Data: schema}) {
		if _, err := p.create(f.Name, string(f.Data)); err != nil {
			return err
		}
	}
	return nil
}

func (p *place) initKey(ctx context.Context) error {
	if err := p.lock(ctx); err != nil {
		return err
	}
	key, made, err := p.MakeKey(rand.Reader)
	if err != nil {
		return err
	}
	word := "kept"
	if made {
		word = "written"
	}
	_, err = plain.Fprintf(p.world.Out, "%-7s  %s\n", word, key.Path)
	return err
}

func (p *place) create(name, text string) (created bool, err error) {
	_, err = p.Files.Read(name)
	switch {
	case err == nil:
		_, err = plain.Fprintf(p.world.Out, "kept     %s\n", name)
	case errors.Is(err, fs.ErrNotExist):
		if created, err = p.Files.Write(name, []byte(text)); err == nil {
			_, err = plain.Fprintf(p.world.Out, "written  %s\n", name)
		}
	}
	return created, err
}

func (p *place) appendLines(name string, lines []string) error {
	old, err := p.Files.Read(name)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("read %s: %w", name, err)
	}
	text := string(old)
	if text != "" && !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	before := text
	for _, line := range lines {
		if !strings.Contains("\n"+text, "\n"+line) {
			text += line
		}
	}
	if text == before {
		_, err = plain.Fprintf(p.world.Out, "kept     %s\n", name)
		return err
	}
	if _, err := p.Files.Write(name, []byte(text)); err != nil {
		return err
	}
	_, err = plain.Fprintf(p.world.Out, "written  %s\n", name)
	return err
}

// remote returns the web address of the repository and its default branch. A clone knows the branch; otherwise it is the
// usual one that the remote has, or the current one.
func (p *place) remote(ctx context.Context) (address, branch string, err error) {
	remote, err := p.Repo.RemoteURL(ctx, "origin")
	if err != nil {
		return "", "", err
	}
	head, err := p.Repo.DefaultRemoteBranch(ctx, "origin")
	if err != nil {
		return "", "", err
	}
	if _, name, ok := strings.Cut(head, "/"); ok {
		return webAddress(remote), name, nil
	}
	for _, name := range []string{"main", "master"} {
		if _, err := p.Repo.Resolve(ctx, "refs/remotes/origin/"+name); err == nil {
			return webAddress(remote), name, nil
		}
	}
	branch, err = p.Repo.Branch(ctx)
	return webAddress(remote), cmp.Or(branch, config.Default().Branch), err
}

// remoteForms are clone URLs of git hosts: with a scheme, or as ssh's user@host:path.
var remoteForms = []*lazyregexp.Regexp{
	lazyregexp.New(`^(?:https?|ssh|git)://(?:[^@/]*@)?([^:/]+)(?::\d+)?/(.+?)(?:\.git)?/?$`),
	lazyregexp.New(`^(?:[^@/]+@)([^:/]+):(.+?)(?:\.git)?/?$`),
}

// webAddress returns the web page of a clone URL; empty if unknown.
func webAddress(remote string) string {
	for _, form := range remoteForms {
		if m := form.FindStringSubmatch(remote); m != nil && strings.Contains(m[2], "/") {
			return "https://" + m[1] + "/" + m[2]
		}
	}
	return ""
}
