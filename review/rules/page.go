package rules

import (
	"errors"
	"fmt"
	"io/fs"
	"strconv"
	"strings"

	"github.com/causaldocs/causal/knowledge/engine"
	"github.com/causaldocs/causal/knowledge/fact"
	"github.com/causaldocs/causal/knowledge/keep"
	"github.com/causaldocs/causal/knowledge/store"
	"github.com/causaldocs/causal/knowledge/survey"
	"github.com/causaldocs/causal/review/principle"
)

// page is the body of what is concluded about the page: what is generated of it, and what people wrote on it.
type page struct {
	generated string
	keeps     []keep.Block
}

func (p *page) encode() []byte { return []byte(keep.Join(p.generated, p.keeps)) }

func (p *page) conclusion() engine.Conclusion {
	return engine.Conclusion{
		Text: "the page of principles", Body: p, Digest: fact.Digest(keep.Squeeze(p.generated)), Confidence: 1, Condition: anyChange,
	}
}

// loadPage reads the page.
func (p *Plugin) loadPage(engine.Reader, string) (*engine.Conclusion, error) {
	stored, blocked, err := keep.Read(p.files, Page(p.config.Layout))
	if stored == nil {
		if err != nil || blocked == nil {
			return nil, err
		}
		return &engine.Conclusion{Blocked: blocked}, nil
	}
	c := (&page{stored.Generated, stored.Keeps}).conclusion()
	return &c, nil
}

// entry is a principle on the page.
type entry struct {
	slug string
	*Principle
	account *principle.Account // nil when the records say nothing of it
}

// concludePage makes the page, with what people wrote on it.
func (p *Plugin) concludePage(in engine.Input) (engine.Conclusion, error) {
	repository, err := survey.Setting(in, settingRepository)
	front, err2 := survey.Setting(in, settingFrontMatter)
	problem, err3 := trouble(in)
	entries, err4 := entriesOf(in)
	if err := errors.Join(err, err2, err3, err4); err != nil {
		return engine.Conclusion{}, err
	}
	w := &writer{repository: repository, layout: p.config.Layout}
	made := &page{generated: w.page(front == strconv.FormatBool(true), problem, entries)}
	if in.Previous != nil && in.Previous.Body != nil {
		made.keeps = in.Previous.Body.(*page).keeps
	}
	c := made.conclusion()
	if problem != "" {
		c.Blocked = []engine.Problem{{Because: problem, Mend: "put back what git has of that file: nobody edits records"}}
	}
	return c, nil
}

// entriesOf reads all principles.
func entriesOf(r survey.Reader) ([]entry, error) {
	units, err := r.Read(engine.UnitsOf(PrincipleKind))
	if err != nil {
		return nil, err
	}
	list, _ := units.([]string)
	var entries []entry
	for _, slug := range list {
		body, err := r.Read(engine.ConclusionOf(Unit(slug)))
		if err != nil {
			return nil, err
		}
		one, ok := body.(*Principle)
		if !ok {
			return nil, fmt.Errorf("nothing is known of principle %s", slug)
		}
		account, err := accountOf(r, slug)
		if err != nil {
			return nil, err
		}
		entries = append(entries, entry{slug, one, account})
	}
	return entries, nil
}

// removePage removes the page when there are no principles any more. Words that a person left on it stay.
func (p *Plugin) removePage(_ string, write bool) (engine.Removal, error) {
	name := Page(p.config.Layout)
	data, err := p.files.Read(name)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, store.ErrOccupied) || err == nil && !keep.Ours(data) {
		return engine.Removal{}, nil
	}
	if err != nil {
		return engine.Removal{}, err
	}
	_, keeps, err := keep.Split(data)
	if err != nil {
		return engine.Removal{Blocked: []engine.Problem{{Because: err.Error(), Mend: "edit " + name}}}, nil
	}
	if len(keeps) == 0 {
		if write {
			err = p.files.Remove(name, p.config.Layout.Docs)
		}
		return engine.Removal{Done: true}, err
	}
	left := &page{head(p.config.FrontMatter) + "# Principles\n\nThere are none any more. The notes below are kept until somebody removes them.\n", keeps}
	if string(data) == string(left.encode()) {
		return engine.Removal{}, nil
	}
	if write {
		_, err = p.files.Write(name, left.encode())
	}
	return engine.Removal{Written: true}, err
}

// head is what the page opens with, by which causal knows it.
func head(frontMatter bool) string {
	if !frontMatter {
		return keep.Mark + "\n"
	}
	return "---\ntype: Principles\ntitle: Principles\ndescription: What reviews of this project keep finding.\n" +
		"generated:\n  by: causal/" + strings.ReplaceAll(Version, "/", "-") + "\n---\n\n"
}
