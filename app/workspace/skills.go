package workspace

import (
	"context"
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/causaldocs/causal/app/gitstore"
	"github.com/causaldocs/causal/app/skills"
	"github.com/causaldocs/causal/knowledge/engine"
	"github.com/causaldocs/causal/knowledge/prompt"
	"github.com/causaldocs/causal/knowledge/skill"
	"github.com/causaldocs/causal/knowledge/store"
	"github.com/causaldocs/causal/render"
)

const mostSkills = 256

var (
	errTooMany = errors.New("a repository has at most 256 skills")
	errLink    = errors.New("it is a link")
	// unusable are the errors that are about one skill file.
	unusable = []error{errTooMany, errLink, store.ErrOccupied, store.ErrTooLarge, gitstore.ErrTooLarge}
)

type skillFiles func() ([]skill.File, error)

func skillsOn(files *store.Dir) skillFiles {
	return func() ([]skill.File, error) {
		names, err := files.List(skill.Dir)
		if err != nil && !errors.Is(err, store.ErrOccupied) {
			return nil, fmt.Errorf("list skills: %w", err)
		}
		return readSkills(names, func(i int) ([]byte, error) { return files.Read(names[i]) })
	}
}

func skillsAt(ctx context.Context, repo *gitstore.Repo, commit string) skillFiles {
	return func() ([]skill.File, error) {
		list, err := repo.Tree(ctx, commit)
		if err != nil {
			return nil, err
		}
		names := make([]string, len(list))
		for i, e := range list {
			names[i] = e.Path
		}
		return readSkills(names, func(i int) ([]byte, error) {
			if list[i].Mode != gitstore.Regular && list[i].Mode != gitstore.Executable {
				return nil, errLink
			}
			return repo.ReadBlob(ctx, list[i].ID, skill.LargestFile)
		})
	}
}

// readSkills reads the skills among files. One that cannot be used has the reason instead of its text.
func readSkills(names []string, read func(i int) ([]byte, error)) (out []skill.File, err error) {
	for i, name := range names {
		if _, ok := skill.IDOf(name); !ok {
			continue
		}
		f := skill.File{Name: name}
		if len(out) >= mostSkills {
			err = errTooMany
		} else {
			f.Data, err = read(i)
		}
		switch {
		case err == nil:
		case slices.ContainsFunc(unusable, func(known error) bool { return errors.Is(err, known) }):
			f.Unread = err.Error()
		default:
			return nil, fmt.Errorf("read skill: %w", err)
		}
		out = append(out, f)
	}
	return out, nil
}

func (w *Workspace) skilled(plugins []engine.Plugin, history skills.History) *skills.Config {
	c := &skills.Config{
		Layout: w.Layout, FrontMatter: w.Config.Docs.FrontMatter, Read: w.skillFiles, Shows: w.Shows, History: history,
		Taken: func(file string) bool {
			return slices.ContainsFunc(plugins, func(p engine.Plugin) bool {
				return slices.ContainsFunc(p.Kinds(), func(k engine.Kind) bool { _, owned := k.Owner(file); return owned })
			}) || strings.HasPrefix(file, w.Layout.Docs+"/modules/") || isReserved(path.Base(file))
		},
		Model: func() prompt.Model {
			if w.Model.Allows(prompt.Skills) {
				return w.Model
			}
			return nil
		},
		Tokens: func() (in, out int) {
			used := w.Spent()
			return used.TokensIn, used.TokensOut
		},
		Ran: w.traceSkill,
	}
	return c
}

func (w *Workspace) skillPages(r engine.Reader) (out []render.Other, err error) {
	list, err := skills.List(r, w.Layout)
	for _, l := range list {
		out = append(out, render.Other{Kind: skills.Kind, Path: l.Path, Title: l.Title, About: l.About})
	}
	return out, err
}

// isReserved reports whether GitHub or a site shows a page of this name for its directory.
func isReserved(name string) bool {
	name = strings.ToLower(name)
	return name == "readme.md" || name == "index.md"
}

// Skills returns the skills of the repository.
func (k *Knowledge) Skills() (*skill.Set, error) { return k.skills.Set() }

// RunSkill runs a skill on request and writes its pages. It needs Look.
func (k *Knowledge) RunSkill(ctx context.Context, id string, inputs map[string]any) (r *skills.Result, written []string, err error) {
	set, err := k.skills.Set()
	if err != nil {
		return nil, nil, err
	}
	if r, err = k.skilled.Run(ctx, set, id, inputs, k.Engine.Reader(ctx), k.workspace.Files); err != nil {
		return nil, nil, err
	}
	k.workspace.traceSkill(skills.Kind+"/"+id, r.Run)
	if r.Err != nil {
		return r, nil, nil
	}
	written, err = k.skilled.Write(k.workspace.Files, set, r)
	return r, written, err
}

// SkillFile returns the repository path of a skill file, from a path on disk that is relative to dir or to the root.
func (k *Knowledge) SkillFile(dir, file string) (string, error) {
	set, err := k.skills.Set()
	if err != nil {
		return "", err
	}
	typed := file
	if filepath.IsAbs(file) {
		typed = Seen(file)
	}
	for _, p := range ParseTarget(k.workspace.Repo.Root(), Seen(dir), typed).Paths {
		if id, ok := skill.IDOf(p); ok && (set.Skills[id] != nil || set.Broken[id] != nil) {
			return p, nil
		}
	}
	return "", fmt.Errorf("%s is not a file of a skill: those are %s", file, skill.Path("ID"))
}

func (a *askable) atSkill(name string) (Meant, bool) {
	if !strings.HasPrefix(name, a.layout.Docs+"/") || path.Ext(name) != ".md" {
		return Meant{}, false
	}
	id := skills.WriterOf(a.read(name))
	return Meant{Meaning: MeansSkill, File: name, Name: id}, id != ""
}

func (k *Knowledge) skillNamed(a *askable, t Target) (m Meant, ok bool, err error) {
	set, err := k.skills.Set()
	if err != nil {
		return Meant{}, false, err
	}
	id, page, _ := strings.Cut(strings.TrimPrefix(t.Text, skills.Kind+"/"), "/")
	for _, p := range t.Paths {
		if of, ok := skill.IDOf(p); ok {
			id, page = of, ""
		}
	}
	if set.Skills[id] == nil && set.Broken[id] == nil {
		return Meant{}, false, nil
	}
	names, err := k.workspace.Files.Below(k.workspace.Layout.Docs)
	for _, name := range names {
		m, ok := a.atSkill(name)
		if ok && m.Name == id && (page == "" || strings.HasSuffix(name, "/"+page)) {
			return m, true, err
		}
	}
	return Meant{}, false, errors.Join(err, &UnknownError{Target: t.Text, Because: "it is a skill that has no page here; `causal skills list` shows when it runs"})
}

// orSkill adds a skill to the choices of a name that is also a symbol.
func (k *Knowledge) orSkill(a *askable, t Target, m Meant, err error) (Meant, error) {
	several, ambiguous := errors.AsType[*AmbiguousError](err)
	if !skill.IsID(t.Text) || !ambiguous && (err != nil || m.Meaning != MeansSymbol && m.Meaning != MeansElement) {
		return m, err
	}
	page, ok, failed := k.skillNamed(a, t)
	switch {
	case !ok && (failed == nil || isUnknown(failed)):
		return m, err
	case failed != nil:
		return Meant{}, failed
	case !ambiguous:
		several = &AmbiguousError{t.Text, []Choice{a.choice(m)}}
	}
	several.Choices = append(several.Choices, a.choice(page))
	return Meant{}, several
}
