package skills

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path"

	"github.com/causaldocs/causal/knowledge/fact"
	"github.com/causaldocs/causal/knowledge/skill"
	"github.com/causaldocs/causal/knowledge/survey"
)

// LastTag is the newest tag before the current commit.
const LastTag = "last-tag"

// Errors of a History.
var (
	// ErrNoHistory: the history is not available.
	ErrNoHistory = errors.New("the git history is not available here")
	// ErrInterrupted: the history is temporarily unavailable. It ends the run, and is no fault of the skill.
	ErrInterrupted = errors.New("cannot read the git history now")
)

// HistoryCall is a query of the history.
type HistoryCall struct {
	Name    string   `json:"name"`
	Since   string   `json:"since,omitempty"` // a revision or LastTag; empty for the first commit
	Days    int      `json:"days,omitempty"`  // before the newest commit
	Paths   []string `json:"paths,omitempty"`
	Most    int      `json:"most,omitempty"`
	Commits bool     `json:"commits,omitempty"`
}

// The names of calls.
const (
	ChangesCall = "changes"
	LogCall     = "log"
	APICall     = "api"
)

// History answers calls with a JSON value. It returns ErrNoHistory without a history; if only commits are missing, the
// value has none.
type History func(ctx context.Context, call HistoryCall) (map[string]any, error)

// historyFacts is the fact family history <call>.
const historyFacts fact.Family = "history"

func (c HistoryCall) fact() (fact.Fact, error) {
	data, err := json.Marshal(c)
	return fact.New(historyFacts, string(data)), err
}

func parseCall(f fact.Fact) (c HistoryCall, err error) {
	if err = json.Unmarshal([]byte(f.Name), &c); err != nil {
		err = fmt.Errorf("%q is no call: %w", f.Name, err)
	}
	return c, err
}

func (s *session) ask(c HistoryCall) (map[string]any, error) {
	f, err := c.fact()
	if err != nil {
		return nil, err
	}
	v, err := s.reader.Read(f)
	if err != nil {
		return nil, err
	}
	a, ok := v.(answered)
	if !ok {
		return nil, ErrNoHistory
	}
	return a.value, a.err
}

const mostCommits = 500

var sinceField = opt("since", skill.String, "Revision to compare with, or `last-tag` (default) for the newest tag.")

var historyCapabilities = []capability{{
	skill.Spec{
		ID: "git.changes", About: "Lists the files and commits since a revision. Files of causal and commits that only touch these are left out.",
		Input: []skill.Field{sinceField, opt("most", skill.Integer, "Number of commits, 500 by default.")},
		Output: []skill.Field{
			rows("files", "Changed files", "path", "kind (added, modified or deleted)"),
			rows("commits", "Commits, the newest first; not available in the App and in a shallow clone", "id", "short", "author", "date", "subject", "files"),
			opt("since", skill.String, "The tag or revision; empty if there is no tag."),
		},
	}, func(s *session, in map[string]any) (map[string]any, error) {
		out, err := s.ask(HistoryCall{Name: ChangesCall, Since: since(in), Most: limit(in, mostCommits)})
		if err == nil && out["commits"] == nil {
			out["commits"] = ErrNoHistory
		}
		return out, err
	},
}, {
	skill.Spec{
		ID: "git.log", About: "Lists commits, their authors, and the directories that they change. Merges and commits that only touch files of causal are left out. Not available in the App and in a shallow clone.",
		Input: []skill.Field{
			opt("since", skill.String, "Revision, or `last-tag`; default: the first commit."), opt("days", skill.Integer, "Only commits of the days before the newest one."),
			opt("paths", skill.List, "Only commits that change these files or directories."), opt("most", skill.Integer, "Number of commits, 500 by default."),
		},
		Output: []skill.Field{
			rows("commits", "Commits, the newest first", "id", "short", "author", "date", "subject", "files"),
			rows("authors", "Authors, most commits first", "name", "commits"),
			rows("areas", "Directories with changed files, most commits first", "path", "commits", "authors"),
			opt("more", skill.Boolean, "Whether there are more commits than `most`."),
		},
	}, func(s *session, in map[string]any) (map[string]any, error) {
		c := HistoryCall{Name: LogCall, Since: text(in, "since"), Days: number(in, "days", 0), Most: limit(in, mostCommits)}
		list, _ := in["paths"].([]any)
		for _, p := range list {
			name, ok := p.(string)
			if !ok {
				return nil, errors.New("paths must be a list of texts")
			}
			if err := s.everThere(name); err != nil {
				return nil, err
			}
			c.Paths = append(c.Paths, name)
		}
		return s.ask(c)
	},
}, {
	skill.Spec{
		ID: "code.api_changes", About: "Compares the public symbols with those of a revision.",
		Input: []skill.Field{sinceField, opt("commits", skill.Boolean, "Whether to look for the commits of each change. Not possible in the App and in a shallow clone.")},
		Output: []skill.Field{
			rows("changes", "Changes", "kind (added, changed, removed or deprecated; members of a type that is added or removed are not listed)", "module", "name", "typed (the name that callers type)", "symbol_kind", "before", "after", "diff (lines)", "doc", "reason of a deprecation", "path", "line (the first one; 0 for a removed symbol)", "end_line", "commits"),
			opt("count", skill.Integer, "Number of changes."), opt("since", skill.String, "The tag or revision; empty if there is no tag."),
			opt("unread", skill.List, "Files that could not be read then; their modules are not compared. A file that cannot be read now fails the step."),
		},
	}, func(s *session, in map[string]any) (map[string]any, error) {
		commits, _ := in["commits"].(bool)
		out, err := s.ask(HistoryCall{Name: APICall, Since: since(in), Commits: commits})
		unread, _ := out["unread"].([]any)
		for _, why := range unread {
			text, _ := why.(string)
			s.warn(text)
		}
		return out, err
	},
}}

// everThere rejects a path that neither exists nor was changed by a commit.
func (s *session) everThere(name string) error {
	there, err := survey.Exists(s.reader, path.Clean(name))
	if err != nil || there {
		return err
	}
	log, err := s.ask(HistoryCall{Name: LogCall, Paths: []string{name}, Most: 1})
	if commits, _ := log["commits"].([]any); err != nil || len(commits) > 0 {
		return err
	}
	return s.unknown("file or directory", name)
}

func since(in map[string]any) string {
	if v := text(in, "since"); v != "" {
		return v
	}
	return LastTag
}

func limit(in map[string]any, most int) int {
	if n := number(in, "most", most); n > 0 {
		return min(n, most)
	}
	return most
}
