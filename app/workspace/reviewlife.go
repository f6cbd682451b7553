package workspace

import (
	"errors"
	"path"
	"slices"

	"github.com/causaldocs/causal/app/gitstore"
	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/knowledge/survey"
	"github.com/causaldocs/causal/review"
	"github.com/causaldocs/causal/review/change"
	"github.com/causaldocs/causal/review/life"
	"github.com/causaldocs/causal/review/match"
)

type meeting struct {
	*reviewing
	facts // of the head

	room  *change.Room
	texts map[string]*match.Text
	err   error
}

func (m *meeting) reconcile(found *review.Found) (life.Outcome, error) {
	m.texts = map[string]*match.Text{}
	unread := map[string]string{}
	for _, s := range found.Skipped {
		unread[s.Path] = s.Reason
	}
	out := life.Reconcile(m.State, life.Run{
		Base: m.Base.ID, Head: m.Head, Begins: m.Begins, Findings: found.Findings, Ran: m.Ran, Unread: unread, Became: m.became, Text: m.text, Declares: m.declares,
	})
	return out, m.err
}

func (m *meeting) failed(err error) bool {
	if err != nil && m.err == nil {
		m.err = err
	}
	return err != nil
}

func (m *meeting) became(name, blob string) match.Version {
	held, err := m.blob(blob)
	if m.failed(err) {
		return match.Version{}
	}
	now, err := m.room.Follow(m.ctx, name, held)
	if m.failed(err) || now == "" || held == nil {
		return match.Version{Path: now}
	}
	content, err := survey.Blob(m, now)
	if m.failed(err) || content == nil {
		return match.Version{Path: now}
	}
	lines := change.Compare(change.Split(held), change.Split(content))
	return match.Version{Path: now, Lines: &lines}
}

func (m *meeting) blob(id string) ([]byte, error) {
	if id == "" {
		return nil, nil
	}
	held, err := m.workspace.Repo.ReadBlob(m.ctx, id, m.workspace.Config.MaxFileBytes)
	if errors.Is(err, gitstore.ErrUnknownObject) || errors.Is(err, gitstore.ErrTooLarge) {
		return nil, nil
	}
	return held, err
}

func (m *meeting) text(name string) *match.Text {
	if t, ok := m.texts[name]; ok {
		return t
	}
	content, err := survey.Blob(m, name)
	if m.failed(err) || content == nil {
		return nil
	}
	m.texts[name] = match.NewText(name, change.Split(content), "")
	return m.texts[name]
}

func (m *meeting) declares(name, symbol string) bool {
	module, err := survey.Find(m, path.Dir(name))
	return !m.failed(err) && module != nil && slices.ContainsFunc(module.Declared, func(d source.Declared) bool { return d.Path == name && d.Name == symbol })
}
