package workspace

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/causaldocs/causal/app/skills"
	"github.com/causaldocs/causal/knowledge/engine"
	"github.com/causaldocs/causal/knowledge/lazyregexp"
	"github.com/causaldocs/causal/knowledge/session"
	"github.com/causaldocs/causal/render"
	"github.com/causaldocs/causal/render/answers"
	"github.com/causaldocs/causal/render/decisions"
	"github.com/causaldocs/causal/review/principle"
	"github.com/causaldocs/causal/review/rules"
)

// printed resolves a target in a form that causal prints: a unit ("module/cart"), a frame
// ("s-0123456789ab/0123456789abcdef"), or a path as a Go string literal. Names of the repository take precedence over
// these forms.
func (w *Workspace) printed(a *askable, dir, text string) (Meant, bool, error) {
	text = strings.Trim(text, blanks)
	if p, ok := literal(text); ok {
		m, err := a.resolve(ParseTarget(w.Repo.Root(), dir, p))
		return m, true, err
	}
	if u, err := engine.ParseUnit(text); err == nil {
		if m, ok := a.ofUnit(u); ok {
			return m, true, nil
		}
	}
	units, err := w.concludedIn(text)
	if err != nil || len(units) == 0 {
		return Meant{}, false, err
	}
	m, err := a.ofUnits(text, units)
	return m, true, err
}

func literal(text string) (string, bool) {
	quoted, err := strconv.QuotedPrefix(text)
	if err != nil || quoted[0] != '"' {
		return "", false
	}
	p, err := strconv.Unquote(quoted)
	return p + text[len(quoted):], err == nil
}

// ofUnit returns the target that a unit is about. A page stands for its module.
func (a *askable) ofUnit(u engine.Unit) (Meant, bool) {
	switch u.Kind {
	case rules.PrincipleKind:
		return a.at(principle.Path(u.Subject))
	case rules.PageKind:
		return a.at(rules.Page(a.layout))
	case answers.Kind:
		return a.at(answers.File(u.Subject))
	case answers.PageKind:
		return a.at(answers.Page(a.layout))
	case skills.Kind:
		return a.at(skills.PathOf(a.layout, u.Subject))
	case render.ModuleKind:
		return Meant{Meaning: MeansModule, Module: u.Subject}, a.paths[u.Subject]
	case render.PageKind:
		module, ok := render.ModuleOfPage(u.Subject)
		if !ok {
			return Meant{Meaning: MeansOverview, File: render.PathOfPage(a.layout, u.Subject)}, true
		}
		return Meant{Meaning: MeansModule, Module: module}, a.paths[module]
	}
	page, ok := decisions.Pages(a.layout)[u.Kind]
	if !ok {
		return Meant{}, false
	}
	return a.at(page)
}

func (a *askable) ofUnits(text string, units []string) (Meant, error) {
	var found []Meant
	for _, name := range units {
		u, err := engine.ParseUnit(name)
		if err != nil {
			continue
		}
		// a page without content has a conclusion but no file
		if m, ok := a.ofUnit(u); ok && !slices.ContainsFunc(found, m.same) && (m.Meaning != MeansOverview || len(units) == 1 || len(a.read(m.File)) > 0) {
			found = append(found, m)
		}
	}
	switch len(found) {
	case 0:
		return Meant{}, &UnknownError{text, fmt.Sprintf("%s was concluded there, which no longer exists", units[0]), nil}
	case 1:
		return found[0], nil
	}
	e := &AmbiguousError{Target: text}
	for _, m := range found {
		e.Choices = append(e.Choices, a.choice(m))
	}
	return Meant{}, e
}

// framed matches a frame id: alone, after its session, or with the question between the two, as in answers. A session
// alone stands for its root frame.
var framed = lazyregexp.New(`^(?:(s-[0-9a-f]{12})(?: / .+ / |/|$))?([0-9a-f]{16})?$`)

// concludedIn lists the units that a frame of a stored session concluded. The root frame stands for all frames of its
// session.
func (w *Workspace) concludedIn(text string) ([]string, error) {
	m := framed.FindStringSubmatch(text)
	if m == nil || text == "" {
		return nil, nil
	}
	sessions := []string{m[1]}
	if m[1] == "" {
		var err error
		if sessions, err = w.Sessions(); err != nil {
			return nil, err
		}
	}
	var units []string
	for _, id := range sessions {
		data, err := w.Files.Read(w.Layout.Frames(id))
		if err != nil || !bytes.Contains(data, []byte(m[2])) {
			continue // decoding YAML takes much longer
		}
		r, err := session.Decode(data)
		if err != nil {
			continue
		}
		units = append(units, concluded(r, m[2])...)
	}
	return units, nil
}

// concluded lists the units that a frame concluded. An empty id stands for the root frame.
func concluded(r session.Record, frame string) []string {
	var units []string
	for _, c := range r.Concluded {
		if frame == "" || frame == r.RootFrameID || frame == c.Frame {
			units = append(units, c.Unit)
		}
	}
	if f, ok := r.Tree.Frame(frame); ok && len(units) == 0 {
		units = append(units, f.Query)
	}
	return units
}

func isUnknown(err error) bool {
	var unknown *UnknownError
	return errors.As(err, &unknown)
}
