package workspace

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/causaldocs/causal/app/gitstore"
	"github.com/causaldocs/causal/app/skills"
	"github.com/causaldocs/causal/app/worktree"
	"github.com/causaldocs/causal/knowledge/index"
	"github.com/causaldocs/causal/knowledge/store"
	"github.com/causaldocs/causal/knowledge/survey"
	"github.com/causaldocs/causal/render"
	"github.com/causaldocs/causal/render/node"
	"github.com/causaldocs/causal/review/change"
)

// skillHistory answers skills' questions about the history. It ignores commits that only change causal's own files, so
// committing an update does not change a skill's input.
type skillHistory struct {
	*Workspace
	survey *survey.Survey
	batch  *index.Batch
	tags   map[string]gitstore.Tag // of a mirror, by the names that skills use
	apis   map[string]apiChanges   // API changes, by the commit that they are compared with
}

// ask implements skills.History.
func (h *skillHistory) ask(ctx context.Context, call skills.HistoryCall) (map[string]any, error) {
	out, err := h.answer(ctx, call)
	switch {
	case errors.Is(err, gitstore.ErrUnknownObject) || errors.Is(err, gitstore.ErrTooLarge):
		err = fmt.Errorf("%w: %w", skills.ErrNoHistory, err)
	case errors.Is(err, gitstore.ErrUnavailable) || errors.Is(err, gitstore.ErrGone):
		err = fmt.Errorf("%w: %w", skills.ErrInterrupted, err)
	}
	return out, err
}

func (h *skillHistory) answer(ctx context.Context, call skills.HistoryCall) (map[string]any, error) {
	if h.lacksCommits() && (call.Name == skills.LogCall || call.Commits) {
		return nil, skills.ErrNoHistory
	}
	head := h.Commit.ID
	if head == "" {
		c, err := h.Repo.Head(ctx)
		if err != nil {
			return nil, err
		}
		head = c.ID
	}
	since, err := h.since(ctx, head, call.Since)
	if err != nil {
		return nil, err
	}
	answer := map[string]func(context.Context, string, gitstore.Tag, skills.HistoryCall) (map[string]any, error){
		skills.LogCall: h.log, skills.ChangesCall: h.changes, skills.APICall: h.api,
	}[call.Name]
	if answer == nil {
		return nil, fmt.Errorf("the history cannot answer %q", call.Name)
	}
	return answer(ctx, head, since, call)
}

func (h *skillHistory) lacksCommits() bool { return h.Mirror != nil || h.Repo.IsShallow() }

func (h *skillHistory) commits(ctx context.Context, head string, q gitstore.Query) ([]gitstore.Logged, error) {
	if head == "" {
		return nil, nil
	}
	q.Except = []string{store.Top, h.Layout.Docs}
	list, _, err := h.Repo.Log(ctx, head, q)
	if errors.Is(err, gitstore.ErrUnknownRevision) {
		return nil, fmt.Errorf("there is no revision %q", q.Since)
	}
	return list, err
}

const mostFiles = 50

func commitValue(c gitstore.Logged) map[string]any {
	files := []any{}
	for _, f := range c.Files[:min(len(c.Files), mostFiles)] {
		files = append(files, f)
	}
	return map[string]any{
		"id": c.ID, "short": c.ID[:min(len(c.ID), 10)], "author": c.Author, "date": c.When.Format("2006-01-02"), "subject": c.Subject, "files": files,
	}
}

func commitValues(list []gitstore.Logged) []any {
	out := []any{}
	for _, c := range list {
		out = append(out, commitValue(c))
	}
	return out
}

func (h *skillHistory) log(ctx context.Context, head string, since gitstore.Tag, call skills.HistoryCall) (map[string]any, error) {
	q := gitstore.Query{Since: since.Commit, Paths: call.Paths, Most: call.Most + 1}
	if call.Days > 0 && head != "" {
		c, err := h.Repo.Resolve(ctx, head)
		if err != nil {
			return nil, err
		}
		q.After = c.When.AddDate(0, 0, -call.Days)
	}
	list, err := h.commits(ctx, head, q)
	if err != nil {
		return nil, err
	}
	more := len(list) > call.Most
	list = list[:min(len(list), call.Most)]
	authors, areas := tally{}, map[string]tally{}
	for _, c := range list {
		if isBot(c.Author) {
			continue
		}
		authors[c.Author]++
		dirs := map[string]bool{}
		for _, f := range c.Files {
			dirs[path.Dir(f)] = true
		}
		for dir := range dirs {
			if areas[dir] == nil {
				areas[dir] = tally{}
			}
			areas[dir][c.Author]++
		}
	}
	totals := tally{}
	for dir, by := range areas {
		for _, n := range by {
			totals[dir] += n
		}
	}
	byArea := []any{}
	for _, dir := range totals.ranked() {
		byArea = append(byArea, map[string]any{"path": dir, "commits": totals[dir], "authors": areas[dir].values()})
	}
	return map[string]any{"commits": commitValues(list), "authors": authors.values(), "areas": byArea, "more": more}, nil
}

func isBot(name string) bool { return strings.HasSuffix(name, "[bot]") }

type tally map[string]int

func (t tally) ranked() []string {
	return slices.SortedFunc(maps.Keys(t), func(a, b string) int {
		if t[a] != t[b] {
			return t[b] - t[a]
		}
		return strings.Compare(a, b)
	})
}

func (t tally) values() []any {
	out := []any{}
	for _, name := range t.ranked() {
		out = append(out, map[string]any{"name": name, "commits": t[name]})
	}
	return out
}

func (h *skillHistory) changes(ctx context.Context, head string, since gitstore.Tag, call skills.HistoryCall) (map[string]any, error) {
	out := map[string]any{"since": since.Name, "files": []any{}, "commits": []any{}}
	if since.Name == "" {
		return out, nil
	}
	delete(out, "commits")
	if !h.lacksCommits() {
		list, err := h.commits(ctx, head, gitstore.Query{Since: since.Commit, Most: call.Most})
		if err != nil {
			return nil, err
		}
		out["commits"] = commitValues(list)
	}
	changes, _, err := h.differing(ctx, since)
	if err != nil {
		return nil, err
	}
	files := []any{}
	for _, c := range changes {
		kind := gitstore.Modified
		switch {
		case c.Was == "":
			kind = gitstore.Added
		case c.ID == "":
			kind = gitstore.Deleted
		}
		files = append(files, map[string]any{"path": c.Path, "kind": string(kind)})
	}
	out["files"] = files
	return out, nil
}

func (h *skillHistory) differing(ctx context.Context, since gitstore.Tag) ([]survey.Change, gitstore.Commit, error) {
	base, err := h.Repo.Resolve(ctx, since.Commit)
	switch {
	case errors.Is(err, gitstore.ErrUnknownRevision) && h.lacksCommits():
		err = fmt.Errorf("%w: %s is not in this clone", skills.ErrNoHistory, since.Name)
	case errors.Is(err, gitstore.ErrUnknownRevision):
		err = fmt.Errorf("there is no revision %q", since.Name)
	}
	if err != nil {
		return nil, base, err
	}
	now, err := h.tree.State(ctx, func() survey.State { return survey.State{} })
	if err != nil {
		return nil, base, err
	}
	changes, known, err := h.tree.Changes(ctx, survey.State{Commit: base.ID}, now)
	if err == nil && !known {
		err = fmt.Errorf("%w: %s is not in this clone", skills.ErrNoHistory, since.Name)
	}
	return slices.DeleteFunc(changes, func(c survey.Change) bool { return h.Layout.Owns(c.Path) }), base, err
}

// The kinds of API changes.
const (
	apiAdded      = "added"
	apiChanged    = "changed"
	apiRemoved    = "removed"
	apiDeprecated = "deprecated"
)

func (h *skillHistory) api(ctx context.Context, head string, since gitstore.Tag, call skills.HistoryCall) (map[string]any, error) {
	if _, known := h.apis[since.Commit]; !known && since.Name != "" {
		list, err := h.apiSince(ctx, since)
		if err != nil {
			return nil, err
		}
		h.apis[since.Commit] = list
	}
	changes := []any{}
	found := h.apis[since.Commit]
	for _, c := range found.changes {
		c = maps.Clone(c)
		if call.Commits {
			var err error
			if c["commits"], err = h.touching(ctx, head, since.Commit, c); err != nil {
				return nil, err
			}
		}
		changes = append(changes, c)
	}
	return map[string]any{"since": since.Name, "changes": changes, "count": len(changes), "unread": append([]any{}, found.unread...)}, nil
}

type apiChanges struct {
	changes []map[string]any
	unread  []any
}

// apiSince lists the API changes since a revision. It omits modules with files that could not be read there.
func (h *skillHistory) apiSince(ctx context.Context, since gitstore.Tag) (out apiChanges, err error) {
	files, base, err := h.differing(ctx, since)
	if err != nil || len(files) == 0 {
		return out, err
	}
	before, done, err := h.surveyOf(ctx, base)
	if err != nil {
		return out, err
	}
	defer func() { _ = done() }()
	modules := map[string]bool{}
	for _, f := range files {
		modules[path.Dir(f.Path)] = true
	}
	for _, module := range slices.Sorted(maps.Keys(modules)) {
		now, err := unreadIn(facts{ctx, h.survey}, module)
		if err != nil {
			return out, err
		}
		if len(now) > 0 { // keep the page until the file can be read
			return out, fmt.Errorf("cannot read %v", now[0])
		}
		then, err := unreadIn(facts{ctx, before}, module)
		if err != nil {
			return out, err
		}
		if out.unread = append(out.unread, then...); len(then) > 0 {
			continue
		}
		list, err := compared(module, facts{ctx, before}, facts{ctx, h.survey})
		if err != nil {
			return out, err
		}
		out.changes = append(out.changes, list...)
	}
	return out, nil
}

// touching lists the commits that changed how often a symbol's name occurs in its file, or else those that changed a
// line with it.
func (h *skillHistory) touching(ctx context.Context, head, since string, changed map[string]any) ([]any, error) {
	q := gitstore.Query{Since: since, Most: 3, Paths: []string{changed["path"].(string)}, Naming: own(changed["name"].(string))}
	list, err := h.commits(ctx, head, q)
	if err == nil && len(list) == 0 {
		q.Lines = true
		list, err = h.commits(ctx, head, q)
	}
	return commitValues(list), err
}

// surveyOf surveys a commit, with a separate index that speeds up the next run.
func (h *skillHistory) surveyOf(ctx context.Context, c gitstore.Commit) (*survey.Survey, func() error, error) {
	dir := filepath.Join(h.local, "skills")
	if !index.Exists(dir) {
		_ = h.index.CopyTo(dir) // missing files are read again
	}
	return h.surveyed(ctx, worktree.NewStill(worktree.AtCommit(h.Repo, c), worktree.NewKept()), dir)
}

func unreadIn(r survey.Reader, module string) (why []any, err error) {
	k, err := survey.Find(r, module)
	if k == nil {
		return nil, err
	}
	for _, u := range k.Module.Units {
		if u.File.Problem != "" && !u.File.Test {
			why = append(why, u.Path+": "+u.File.Problem)
		}
	}
	return why, nil
}

func compared(module string, before, after survey.Reader) ([]map[string]any, error) {
	was, err := offeredIn(before, module)
	if err != nil {
		return nil, err
	}
	is, err := offeredIn(after, module)
	if err != nil {
		return nil, err
	}
	both := map[string]render.Public{}
	maps.Copy(both, was)
	maps.Copy(both, is)
	var out []map[string]any
	for _, typed := range slices.Sorted(maps.Keys(both)) {
		shown, a, b := both[typed], was[typed].Declared, is[typed].Declared
		var kind string
		switch {
		case a == nil:
			kind = apiAdded
		case b == nil:
			kind = apiRemoved
		case difference(a.Signature, b.Signature) != "":
			kind = apiChanged
		case a.Deprecated == "" && b.Deprecated != "":
			kind = apiDeprecated
		default:
			continue
		}
		if owner := both[owningType(typed)].Declared; owner != nil && (a == nil || b == nil) && (was[owningType(typed)].Declared == nil || is[owningType(typed)].Declared == nil) {
			continue // reported with its type
		}
		c := map[string]any{
			"kind": kind, "module": module, "name": shown.Name, "typed": typed, "symbol_kind": string(shown.Kind), "before": "", "after": "", "path": shown.Path,
			"line": 0, "end_line": 0, "doc": strings.Join(strings.Fields(node.Opening(shown.Doc)), " "), "reason": shown.Deprecated,
		}
		if a != nil {
			c["before"] = a.Signature
		}
		if b != nil {
			c["after"], c["line"], c["end_line"] = b.Signature, b.Line, b.End
		}
		c["diff"] = difference(c["before"].(string), c["after"].(string))
		out = append(out, c)
	}
	return out, nil
}

func owningType(typed string) string {
	return strings.TrimRight(typed[:max(0, strings.LastIndexAny(typed, ".:#"))], ":")
}

func difference(before, after string) string {
	a, b := codeLines(before), codeLines(after)
	out := append(gained("-", b, a), gained("+", a, b)...)
	return strings.Join(out[:min(len(out), mostDiff)], "\n")
}

func gained(sign string, before, after []string) (out []string) {
	lines := change.Compare(before, after)
	for i, line := range after {
		if lines.Added(i+1, i+1) {
			out = append(out, sign+line)
		}
	}
	return out
}

const mostDiff = 40

func codeLines(text string) (out []string) {
	for _, line := range change.Split([]byte(text)) {
		bare := strings.TrimSpace(line)
		if bare != "" && !strings.HasPrefix(bare, "//") && !strings.HasPrefix(bare, "/*") && !strings.HasPrefix(bare, "*") {
			indent := line[:len(line)-len(strings.TrimLeft(line, " \t"))]
			out = append(out, indent+strings.Join(strings.Fields(line), " "))
		}
	}
	return out
}

func offeredIn(r survey.Reader, module string) (map[string]render.Public, error) {
	list, err := render.Offered(r, module)
	if errors.Is(err, survey.ErrNoModule) {
		return nil, nil
	}
	out := map[string]render.Public{}
	for _, p := range list {
		out[p.Typed] = p
	}
	return out, err
}
