package skills

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/canonical"
	"github.com/causaldocs/causal/knowledge/engine"
	"github.com/causaldocs/causal/knowledge/fact"
	"github.com/causaldocs/causal/knowledge/frame"
	"github.com/causaldocs/causal/knowledge/keep"
	"github.com/causaldocs/causal/knowledge/lazyregexp"
	"github.com/causaldocs/causal/knowledge/markdown"
	"github.com/causaldocs/causal/knowledge/skill"
	"github.com/causaldocs/causal/knowledge/store"
	"github.com/causaldocs/causal/knowledge/survey"
)

// Kind is the unit kind: skill/<id>/<page>, and skill/<id> for a skill with problems.
const Kind = "skill"

// Files has pages and answers.
type Files interface {
	keep.Files
	Below(dir string) ([]string, error)
}

// Plugin updates the pages of skills. It implements engine.Plugin.
type Plugin struct {
	engine.Unasked // steps ask a model themselves

	config *Config
	room   *Room
	files  Files
}

// New returns the plugin, with a place to write.
func New(c *Config, room *Room, files Files) *Plugin {
	return &Plugin{config: c, room: room, files: files}
}

var _ engine.Plugin = (*Plugin)(nil)

type body struct {
	*keep.Page
	answers []byte
}

// Kinds implements engine.Plugin.
func (p *Plugin) Kinds() []engine.Kind {
	return []engine.Kind{{
		Name: Kind, Derived: true, Rendered: true, Subjects: p.subjects,
		Generator: func(engine.Reader, string) (string, error) { return Version, nil },
		Path:      func(subject string) string { return PathOf(p.config.Layout, subject) },
		Owner:     p.owner,
		Serial:    p.asks,
		Load:      func(_ engine.Reader, subject string) (*engine.Conclusion, error) { return p.load(subject) },
		Remove:    p.remove,
		Gone: func(engine.Reader, string) engine.Reason {
			return engine.Reason{Because: "removed", Detail: "no skill writes the page any more"}
		},
	}}
}

// PathOf returns the file of a unit: the page, or the skill file of a skill with problems.
func PathOf(l store.Layout, subject string) string {
	id, page, ok := strings.Cut(subject, "/")
	if !ok {
		return skill.Path(id)
	}
	return l.Docs + "/" + page
}

// subjects lists the pages of skills that run on update. A skill with problems is a unit, and its pages stay.
func (p *Plugin) subjects(r engine.Reader) ([]string, error) {
	v, err := r.Read(allSkills)
	set, ok := v.(*skill.Set)
	if err != nil || !ok {
		return nil, err
	}
	var out []string
	for _, id := range updaters(set) {
		for _, page := range pagesOf(set, id) {
			out = append(out, id+"/"+page)
		}
	}
	if len(set.Broken) == 0 {
		return out, nil
	}
	for id := range set.Broken {
		out = append(out, id)
	}
	names, err := p.files.Below(p.config.Layout.Docs)
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		if subject, ok := p.owner(name); ok {
			if id, _, _ := strings.Cut(subject, "/"); set.Broken[id] != nil {
				out = append(out, subject)
			}
		}
	}
	return out, nil
}

// mark is the last line of a page, and identifies its skill.
var mark = lazyregexp.New(`(?m)^<!-- causal:skill ([a-z0-9_-]+) -->$`)

func markOf(id string) string { return "<!-- causal:skill " + id + " -->" }

// WriterOf returns the skill that wrote a page; empty for other files.
func WriterOf(page []byte) string {
	all := mark.FindAllStringSubmatch(string(page), -1)
	if len(all) == 0 || !keep.Ours(page) {
		return ""
	}
	return all[len(all)-1][1]
}

func (p *Plugin) owner(file string) (string, bool) {
	if id, ok := skill.IDOf(file); ok {
		return id, true
	}
	page, ok := strings.CutPrefix(file, p.config.Layout.Docs+"/")
	if !ok || path.Ext(file) != ".md" || p.config.Taken(file) {
		return "", false
	}
	if data, err := p.files.Read(file); err == nil {
		if id := WriterOf(data); id != "" {
			return id + "/" + page, true
		}
	}
	set, err := p.room.Set()
	if err != nil {
		return "", false // the run fails when it reads the skills
	}
	for _, id := range updaters(set) {
		if slices.Contains(pagesOf(set, id), page) {
			return id + "/" + page, true
		}
	}
	return "", false
}

func (p *Plugin) asks(subject string) bool {
	id, _, _ := strings.Cut(subject, "/")
	set, err := p.room.Set()
	return err == nil && p.config.Model != nil && p.config.Model() != nil && set.Uses(id, completeID)
}

func (p *Plugin) sole(subject string) keep.Sole {
	id, _, _ := strings.Cut(subject, "/")
	return keep.Sole{
		Name: PathOf(p.config.Layout, subject), Docs: p.config.Layout.Docs, Text: "the page of the skill " + id, Condition: "evidence_changed()",
		Left: head(p.config.FrontMatter, id) + "# " + id + "\n\nThe skill " + markdown.Code(id) + " does not write this page any more. Your notes below stay until you move or delete them.\n",
	}
}

func (p *Plugin) load(subject string) (*engine.Conclusion, error) {
	id, page, isPage := strings.Cut(subject, "/")
	if !isPage {
		return p.broken(id)
	}
	name := PathOf(p.config.Layout, subject)
	stored, blocked, err := keep.Read(p.files, name)
	switch {
	case err != nil:
		return nil, err
	case blocked != nil:
		return &engine.Conclusion{Blocked: blocked}, nil
	case stored == nil:
		return nil, nil
	}
	if by := WriterOf([]byte(stored.Generated)); by == "" {
		return &engine.Conclusion{Blocked: []engine.Problem{{Because: unmarked(id), Mend: mendUnmarked}}}, nil
	}
	kept, err := p.files.Read(answersFile(page))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("read answers: %w", err)
	}
	return p.conclusion(subject, stored, kept, nil), nil
}

func (p *Plugin) broken(id string) (*engine.Conclusion, error) {
	set, err := p.room.Set()
	if err != nil {
		return nil, err
	}
	c := &engine.Conclusion{Text: "the skill " + id, Body: body{}, Digest: keep.Digest(id), Confidence: 1, Condition: "evidence_changed()"}
	for _, problem := range set.Broken[id] {
		because := strings.TrimPrefix(problem.String(), skill.Path(id)+":") // the file is named beside it
		if because != problem.String() {
			because = "line " + because
		}
		c.Blocked = append(c.Blocked, engine.Problem{Because: because, Mend: "correct " + cmp.Or(problem.Cause, problem.File) + "; `causal skills check` reports all problems"})
	}
	return c, nil
}

func (p *Plugin) conclusion(subject string, page *keep.Page, answers []byte, previous *engine.Conclusion) *engine.Conclusion {
	c := p.sole(subject).Conclusion(page, pageOf(previous))
	c.Body = body{page, answers}
	c.Kept = staleBecause(page.Generated)
	if len(answers) > 0 {
		c.Digest = fact.Digest(c.Digest, string(answers))
		if c.Stored != "" {
			c.Stored = fact.Digest(c.Stored, string(answers))
		}
	}
	return &c
}

// Listed is a page in a list of pages.
type Listed struct{ Path, Title, About string }

// List lists the pages of skills that run on update.
func List(r engine.Reader, l store.Layout) (out []Listed, err error) {
	units, err := survey.Ask[[]string](r, engine.UnitsOf(Kind))
	if err != nil {
		return nil, err
	}
	for _, subject := range units {
		id, page, isPage := strings.Cut(subject, "/")
		if !isPage {
			continue
		}
		v, err := r.Read(skillFact(id))
		if err != nil {
			return nil, err
		}
		listed := Listed{Path: l.Docs + "/" + page, Title: strings.TrimSuffix(page, ".md"), About: "page of a skill with problems"}
		if set, ok := v.(*skill.Set); ok && set.Skills[id] != nil {
			listed.About = set.Skills[id].Description
		}
		out = append(out, listed)
	}
	return out, nil
}

// ParseOutput implements engine.Plugin. It runs the skill.
func (p *Plugin) ParseOutput(_ string, in engine.Input, _ frame.Frame) (engine.Conclusion, error) {
	id, page, isPage := strings.Cut(in.Unit.Subject, "/")
	set, err := p.setOf(in.Reader, id)
	if err != nil {
		return engine.Conclusion{}, err
	}
	if !isPage {
		c, err := p.broken(id)
		return *c, err
	}
	front, err := survey.FrontMatter(in.Reader)
	if err != nil {
		return engine.Conclusion{}, err
	}
	kept, err := readAnswers(p.files, page)
	if err != nil {
		return engine.Conclusion{}, err
	}
	result, err := p.config.run(context.Background(), set, id, nil, &session{reader: in.Reader, answers: kept}, skill.Runner{Wanted: writesPages})
	if result != nil && p.config.Ran != nil {
		p.config.Ran(in.Unit.String(), result.Run)
	}
	if err == nil {
		err = result.Err
	}
	if errors.Is(err, ErrInterrupted) {
		return engine.Conclusion{}, err
	}
	if err != nil {
		for _, called := range set.Calls(id) { // a reason has places in the files
			if _, err := engine.Digest(in.Reader, fact.New(sourceFacts, called)); err != nil {
				return engine.Conclusion{}, err
			}
		}
		return *p.failed(in, id, front, err), nil
	}
	text := Text(front, id, pageIn(result.Pages, page))
	if len(result.Unread) > 0 {
		text = withBanner(text, "> **Partial:** not all of the code was read: "+shortened(strings.Join(result.Unread, "; "))+"\n")
	}
	return *p.conclusion(in.Unit.Subject, keep.Next(text, pageOf(in.Previous)), result.answers.encode(), in.Previous), nil
}

// writesPages limits an update to the steps that pages need, so other evidence does not invalidate a page.
func writesPages(s *skill.Step) bool { return s.Uses == pageID || s.Uses == skill.RunSkill }

// setOf reads a skill, and the skills that it runs, as facts.
func (p *Plugin) setOf(r engine.Reader, id string) (*skill.Set, error) {
	v, err := r.Read(skillFact(id))
	set, ok := v.(*skill.Set)
	if err == nil && !ok {
		err = fmt.Errorf("the skills are a %T", v)
	}
	if err != nil {
		return nil, err
	}
	for _, called := range set.Calls(id) {
		if _, err := engine.Digest(r, skillFact(called)); err != nil {
			return nil, err
		}
	}
	return set, nil
}

// bodyOf returns the body of a conclusion; false without a page.
func bodyOf(c *engine.Conclusion) (b body, ok bool) {
	if c != nil {
		b, _ = c.Body.(body)
	}
	return b, b.Page != nil
}

// pageOf returns the page of a conclusion as package keep reads it; nil if there is none.
func pageOf(c *engine.Conclusion) *engine.Conclusion {
	if b, ok := bodyOf(c); ok {
		return &engine.Conclusion{Body: b.Page}
	}
	return nil
}

func pageIn(pages []Page, name string) Page {
	if i := slices.IndexFunc(pages, func(p Page) bool { return p.Path == name }); i >= 0 {
		return pages[i]
	}
	return Page{Path: name, Text: "Nothing to show.\n"}
}

// failed returns the previous page with a banner that gives the reason. Without a history it stays unchanged, because
// another clone may update it.
func (p *Plugin) failed(in engine.Input, id string, front bool, err error) *engine.Conclusion {
	before, ok := bodyOf(in.Previous)
	if !ok {
		text := Text(front, id, Page{Path: id + ".md", Text: "# " + id + "\n\n" + banner(err) + "\n"})
		return p.conclusion(in.Unit.Subject, keep.Next(text, nil), nil, nil)
	}
	page := *before.Page
	if !errors.Is(err, ErrNoHistory) {
		page.Generated = withBanner(page.Generated, banner(err))
	}
	c := p.conclusion(in.Unit.Subject, &page, before.answers, in.Previous)
	c.Partial = errors.Is(err, ErrNoHistory)
	return c
}

// bannerLine matches the banner of a page that is out of date.
var bannerLine = lazyregexp.New(`(?m)^> \*\*Out of date:\*\* the skill failed: (.*)\n\n?`)

func banner(err error) string {
	return "> **Out of date:** the skill failed: " + shortened(err.Error()) + "\n"
}

func shortened(text string) string {
	return markdown.Escape(shorten(strings.Join(strings.Fields(text), " "), 500))
}

func staleBecause(generated string) string {
	if m := bannerLine.FindStringSubmatch(generated); m != nil {
		return "the skill failed: " + markdown.Words(m[1])
	}
	return ""
}

func withBanner(generated, banner string) string {
	generated = bannerLine.ReplaceAllString(generated, "")
	at := strings.Index(generated, "\n# ")
	if at < 0 {
		at = strings.Index(generated, "-->\n")
	}
	end := strings.IndexByte(generated[at+1:], '\n')
	if at < 0 || end < 0 {
		return generated + "\n" + banner
	}
	at += 1 + end + 1
	return generated[:at] + "\n" + banner + generated[at:]
}

// Text returns a page as it is generated.
func Text(front bool, id string, page Page) string {
	text := strings.TrimSpace(strings.NewReplacer("\r\n", "\n", "<!-- causal:", "<!-- causal ", "<!-- /causal:", "<!-- /causal ").Replace(page.Text))
	title := page.Title
	if heading, ok := strings.CutPrefix(text, "# "); ok {
		if title == "" {
			title, _, _ = strings.Cut(heading, "\n")
		}
	} else {
		if title == "" {
			title = strings.TrimSuffix(path.Base(page.Path), ".md")
		}
		text = "# " + title + "\n\n" + text
	}
	return head(front, title) + text + "\n\n---\n\nWritten by the skill " + markdown.Code(id) + ".\n\n" + markOf(id) + "\n"
}

func head(front bool, title string) string { return keep.Head(front, scalar(title)) }

func scalar(text string) string {
	w := new(canonical.Writer)
	w.Scalar(strings.Join(strings.Fields(text), " "))
	return string(w.Bytes())
}

// Store implements engine.Plugin.
func (p *Plugin) Store(c engine.Conclusion, _ frame.Frame) error {
	b, ok := c.Body.(body)
	if !ok {
		return fmt.Errorf("store %s: unexpected body %T", c.Unit, c.Body)
	}
	if b.Page == nil {
		return nil
	}
	_, page, _ := strings.Cut(c.Unit.Subject, "/")
	if err := p.storeAnswers(page, b.answers); err != nil {
		return err
	}
	return p.sole(c.Unit.Subject).Store(p.files, b.Page)
}

func (p *Plugin) storeAnswers(page string, data []byte) error {
	name := answersFile(page)
	before, err := p.files.Read(name)
	switch {
	case errors.Is(err, fs.ErrNotExist) && len(data) == 0:
		return nil
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("read answers: %w", err)
	case len(data) == 0:
		return p.files.Remove(name, store.Top)
	case bytes.Equal(before, data):
		return nil
	}
	_, err = p.files.Write(name, data)
	return err
}

func (p *Plugin) remove(subject string) (engine.Removal, error) {
	id, page, isPage := strings.Cut(subject, "/")
	if !isPage {
		return engine.Removal{}, nil
	}
	data, err := p.files.Read(PathOf(p.config.Layout, subject))
	if err != nil || WriterOf(data) != id {
		return engine.Removal{}, nil // there is none, or another skill wrote it
	}
	set, err := p.room.Set()
	if err != nil {
		return engine.Removal{}, err
	}
	for _, other := range updaters(set) {
		if slices.Contains(pagesOf(set, other), page) {
			return engine.Removal{}, nil
		}
	}
	if err := p.storeAnswers(page, nil); err != nil {
		return engine.Removal{}, err
	}
	return p.sole(subject).Remove(p.files)
}
