package skills

import (
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/markdown"
	"github.com/causaldocs/causal/knowledge/prompt"
	"github.com/causaldocs/causal/knowledge/skill"
	"github.com/causaldocs/causal/knowledge/state"
	"github.com/causaldocs/causal/review/finding"
)

const (
	pageID     = "docs.page"
	findingID  = "review.finding"
	completeID = "model.complete"

	longestPage   = 1 << 20
	mostFindings  = 200
	longestNote   = 2000 // bytes of the message of a finding
	wholeFile     = 9999 // last line of a finding without lines
	longestPrompt = 256 << 10
	largestSchema = 32 << 10
)

var outputCapabilities = []capability{{
	skill.Spec{
		ID: pageID, About: "Writes a page below the directory of the pages. A page that causal did not write is never overwritten. A link that begins with `/`, such as `/README.md`, leads to a file of the repository: the page gets the relative one.", Writes: true,
		Input: []skill.Field{
			checked(req("path", skill.String, "Path of the page below that directory, such as changelog.md."), func(v any) error { return checkPage(v.(string)) }),
			req("text", skill.String, "The page in Markdown. It begins with a heading."), opt("title", skill.String, "Title; default: the first heading."),
		},
		Output: []skill.Field{opt("path", skill.String, "Path of the page.")},
	}, (*session).page,
}, {
	skill.Spec{
		ID: findingID, About: "Adds a finding to a review. Reviews show findings on changed lines. A skill adds at most 200.", Writes: true,
		Input: []skill.Field{
			req("path", skill.String, "Path of the file."), opt("line", skill.Integer, "First line; default: the whole file."), opt("end_line", skill.Integer, "Last line; default: the first."),
			req("message", skill.String, "The problem and its fix. A message of more than 2000 bytes is cut."),
			checked(opt("severity", skill.String, "error, warning (default) or note."), func(v any) error { return checkSeverity(v.(string)) }),
		},
		Output: []skill.Field{opt("count", skill.Integer, "Number of findings so far.")},
	}, (*session).find,
}, {
	skill.Spec{
		ID: completeID, About: "Asks the model. Without one, the step takes its `else` or fails. Answers for pages are stored beside the skill: the page can be checked without a model.", Else: true,
		Input: []skill.Field{
			req("prompt", skill.String, "Instruction for the model."), req("schema", skill.Map, "JSON Schema of the answer, an object."), opt("data", skill.Any, "Data for the model."),
		},
		Output: []skill.Field{opt("answer", skill.Map, "The answer.")},
	}, (*session).complete,
}, {
	skill.Spec{
		ID: skill.RunSkill, About: "Runs another skill. Its `parent_run_id` is the run that has the step.",
		Input: []skill.Field{req("skill", skill.String, "Id of the skill."), opt("inputs", skill.Map, "Its inputs.")},
		Output: []skill.Field{
			opt("outputs", skill.Map, "Its outputs."), opt("output", skill.Map, "Its result metadata."), opt("run_id", skill.String, "Its run."),
			opt("parent_run_id", skill.String, "The run that has the step."), opt("status", skill.String, "completed."),
		},
	}, nil, // the runner executes it
}}

// checkPage rejects paths outside of the page directory.
func checkPage(name string) error {
	bad := func(why string) error { return fmt.Errorf("path %q %s; write one such as changelog.md", name, why) }
	switch {
	case name == "" || path.IsAbs(name) || path.Clean(name) != name || strings.HasPrefix(name, ".."):
		return bad("does not lead to a page below the directory of the pages")
	case path.Ext(name) != ".md" || len(name) > 200:
		return bad("is not that of a page, which ends with .md")
	}
	for part := range strings.SplitSeq(name, "/") {
		if strings.Trim(part, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-") != "" || strings.HasPrefix(part, ".") || strings.HasPrefix(part, "-") {
			return bad("has other characters than letters, digits, dots and dashes")
		}
	}
	return nil
}

func (s *session) page(in map[string]any) (map[string]any, error) {
	p := Page{Path: text(in, "path"), Title: text(in, "title"), Text: text(in, "text"), place: s.step.Place("input.path")}
	if err := checkPage(p.Path); err != nil {
		return nil, err
	}
	file := s.config.Layout.Docs + "/" + p.Path
	switch {
	case s.config.Taken(file):
		return nil, fmt.Errorf("path %q: causal writes that page itself", p.Path)
	case len(p.Text) > longestPage:
		return nil, fmt.Errorf("the page has more than %d bytes", longestPage)
	}
	if i := slices.IndexFunc(s.pages, func(other Page) bool { return other.Path == p.Path }); i >= 0 {
		return nil, fmt.Errorf("path %q: the step at %s writes that page", p.Path, s.pages[i].place)
	}
	if s.files != nil {
		if _, err := writable(s.files, file, s.root); err != nil {
			return nil, fmt.Errorf("path %q: %w", p.Path, err)
		}
	}
	p.Text = markdown.Relink(p.Text, func(to string) string { return relative(path.Dir(file), to) })
	s.pages = append(s.pages, p)
	return map[string]any{"path": file}, nil
}

// relative makes a link from the root relative to a directory. Other links stay.
func relative(from, to string) string {
	if !strings.HasPrefix(to, "/") || strings.HasPrefix(to, "//") {
		return to
	}
	end := len(to)
	if i := strings.IndexAny(to, "?#"); i >= 0 {
		end = i
	}
	way, err := filepath.Rel("/"+from, path.Clean(to[:end]))
	if err != nil {
		return to
	}
	if way = filepath.ToSlash(way); strings.HasSuffix(to[:end], "/") {
		way += "/"
	}
	return way + to[end:]
}

func shorten(text string, most int) string {
	const more = "…"
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most-len(more)], "") + more
}

func checkSeverity(name string) error {
	if !finding.Severity(name).Valid() {
		return fmt.Errorf("severity %q must be error, warning or note", name)
	}
	return nil
}

func (s *session) find(in map[string]any) (map[string]any, error) {
	f := Finding{
		Skill: s.root, Path: path.Clean(text(in, "path")), Line: number(in, "line", 0), Severity: text(in, "severity"), Message: strings.TrimSpace(text(in, "message")),
	}
	if f.EndLine = number(in, "end_line", f.Line); in["line"] == nil {
		f.Line, f.EndLine = 1, wholeFile
	}
	if f.Severity == "" {
		f.Severity = string(finding.Warning)
	}
	switch {
	case path.IsAbs(f.Path) || strings.HasPrefix(f.Path, ".."):
		return nil, fmt.Errorf("path %q is not in the repository", f.Path)
	case f.Line < 1 || f.EndLine < f.Line:
		return nil, fmt.Errorf("lines %d to %d are no lines of a file", f.Line, f.EndLine)
	case f.Message == "":
		return nil, errors.New("the message is empty")
	case len(s.findings) >= mostFindings:
		return nil, fmt.Errorf("a skill adds at most %d findings", mostFindings)
	}
	if err := checkSeverity(f.Severity); err != nil {
		return nil, err
	}
	f.Message = shorten(f.Message, longestNote)
	s.findings = append(s.findings, f)
	return map[string]any{"count": len(s.findings)}, nil
}

const instructions = "You do one step of a program that a maintainer of the repository wrote. Answer in the requested form, from the data alone. " +
	"Invent no names, numbers or places. " + prompt.DataRule

// complete asks the model, or returns the stored answer of an earlier run.
func (s *session) complete(in map[string]any) (map[string]any, error) {
	q, err := s.question(in)
	if err != nil {
		return nil, err
	}
	key, err := digestOf([]any{in["prompt"], in["schema"], in["data"]})
	if err != nil {
		return nil, err
	}
	raw, kept := s.answers.get(key)
	if !kept {
		if raw, err = s.asked(q); err != nil {
			return nil, err
		}
		s.answers.keep(key, raw)
	}
	answer, err := skill.FromJSON(raw)
	if err != nil {
		return nil, err
	}
	return map[string]any{"answer": answer}, nil
}

func (s *session) question(in map[string]any) (prompt.Request, error) {
	schema, _ := in["schema"].(map[string]any)
	if _, titled := schema["title"]; !titled {
		schema["title"] = "causal.skill/v1"
	}
	data, err := marshal(schema)
	if err != nil {
		return prompt.Request{}, err
	}
	said := text(in, "prompt")
	if shown := in["data"]; shown != nil {
		text, isText := shown.(string)
		if !isText {
			raw, err := json.MarshalIndent(shown, "", " ")
			if err != nil {
				return prompt.Request{}, err
			}
			text = string(raw)
		}
		said += "\n\n" + prompt.Data("data", text)
	}
	switch {
	case len(said) > longestPrompt:
		return prompt.Request{}, fmt.Errorf("the prompt has more than %d bytes with its data", longestPrompt)
	case len(data) > largestSchema:
		return prompt.Request{}, fmt.Errorf("the schema has more than %d bytes", largestSchema)
	}
	return prompt.Request{
		Use: prompt.Skills, Unit: Kind + "/" + s.root, Schema: data, System: instructions, Turns: []prompt.Turn{{Role: prompt.User, Text: said}},
	}, nil
}

var errNoModel = errors.New("no model may be asked in this run")

func (s *session) asked(q prompt.Request) (json.RawMessage, error) {
	if s.model == nil {
		return nil, errNoModel
	}
	in, out := s.config.tokens()
	got, err := s.model.Complete(s.ctx, q)
	nowIn, nowOut := s.config.tokens()
	s.used = state.Usage{LLMCalls: 1, TokensIn: nowIn - in, TokensOut: nowOut - out}
	return got.Answer, err
}

func marshal(v any) ([]byte, error) {
	data, err := json.Marshal(v)
	if err != nil {
		return nil, fmt.Errorf("write a value: %w", err)
	}
	return data, nil
}
