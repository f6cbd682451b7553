package render

import (
	"cmp"
	"encoding/json"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/canonical"
	"github.com/causaldocs/causal/knowledge/engine"
	"github.com/causaldocs/causal/knowledge/grounding"
	"github.com/causaldocs/causal/knowledge/prompt"
	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/knowledge/survey"
	"github.com/causaldocs/causal/render/node"
)

// The slots of pages that a model fills if no person did.
const (
	purposeSlot  = "purpose"
	overviewSlot = "overview"
	howSlot      = "how"
)

type slot struct {
	name, asks string
	most       int // sentences
}

var slots = []slot{
	{purposeSlot, "slot `purpose`: one sentence that says what the module does for its callers. Begin with a verb: \"Parses …\".", 1},
	{overviewSlot, "slot `overview`: two to five sentences for a new colleague: what the module is responsible for, its main parts, and when to use it.", 5},
	{howSlot, "slot `how`: two to six sentences that explain how it works inside: the order of steps, the data that is kept, what fails and how.", 6},
}

const proseTask = "causal.prose/v1"

const proseSystem = `You write short documentation for software engineers. You get the code of one module, or the list of the modules of a repository, and the slots to fill.
Write plain, precise English in the present tense. Each sentence states one fact that the cited places show. No praise, no guesses, no history.
Each sentence has cites: its sources, exactly as they appear in the input: "path/file.go:3-9" with line numbers that you were shown, or a name such as "money.Parse".
Put code names in backticks, and use only names that occur in the cited places or in the list of names.
Text is plain: no headings, lists, links, addresses, HTML or mentions. Leave a slot out if the input does not show enough for it.
` + prompt.DataRule

// proseSchema is the schema of an answer about the slots.
func proseSchema(list []slot) json.RawMessage {
	names := make([]string, len(list))
	for i, s := range list {
		names[i] = s.name
	}
	return mustJSON(map[string]any{
		"title": proseTask, "type": "object", "additionalProperties": false, "required": []string{"slots"},
		"properties": map[string]any{"slots": map[string]any{"type": "array", "items": map[string]any{
			"type": "object", "additionalProperties": false, "required": []string{"slot", "sentences"},
			"properties": map[string]any{
				"slot": map[string]any{"type": "string", "enum": names},
				"sentences": map[string]any{"type": "array", "items": map[string]any{
					"type": "object", "additionalProperties": false, "required": []string{"text", "cites"},
					"properties": map[string]any{"text": map[string]any{"type": "string"}, "cites": map[string]any{"type": "array", "items": map[string]any{"type": "string"}}},
				}},
			},
		}}},
	})
}

func mustJSON(v any) json.RawMessage {
	data, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return data
}

func proseRequest(u engine.Unit, list []slot, shown string) *prompt.Request {
	var b strings.Builder
	b.WriteString("Fill these slots:\n")
	for _, s := range list {
		b.WriteString("- " + s.asks + "\n")
	}
	b.WriteString("\n" + shown)
	return &prompt.Request{
		Use: prompt.Docs, Unit: u.String(), Schema: proseSchema(list), System: proseSystem, Turns: []prompt.Turn{{Role: prompt.User, Text: b.String()}},
	}
}

// proseAnswer is a model's answer. A slot that is missing or has no valid sentence stays unchanged.
type proseAnswer struct {
	Partial bool `json:"partial"`

	Slots []struct {
		Slot      string            `json:"slot"`
		Sentences []grounding.Claim `json:"sentences"`
	} `json:"slots"`
}

// readProse parses a model's answer; false for any other text, such as the plugin's own draft.
func readProse(raw string) (proseAnswer, bool) {
	var a proseAnswer
	err := json.Unmarshal([]byte(raw), &a)
	return a, err == nil && a.Slots != nil
}

// hold returns the valid sentences of an answer. The result has each wanted slot, empty without a valid sentence.
func (a proseAnswer) hold(list []slot, shown *grounding.Shown, cites func([]grounding.Cite) []string) (out []node.Sentence, dropped []prompt.Dropped) {
	claims := map[string][]grounding.Claim{}
	for _, s := range a.Slots {
		if !slices.ContainsFunc(list, func(w slot) bool { return w.name == s.Slot }) {
			for _, c := range s.Sentences {
				dropped = append(dropped, prompt.Dropped{Text: c.Text, Reason: prompt.NotTheForm})
			}
			continue
		}
		claims[s.Slot] = append(claims[s.Slot], s.Sentences...)
	}
	for _, s := range list {
		stand, left := shown.Hold(claims[s.name])
		dropped = append(dropped, left...)
		if len(stand) > s.most {
			for _, more := range stand[s.most:] {
				dropped = append(dropped, prompt.Dropped{Text: more.Text, Reason: prompt.NotTheForm})
			}
			stand = stand[:s.most]
		}
		for _, sentence := range stand {
			out = append(out, node.Sentence{Slot: s.name, Text: sentence.Text, Cites: cites(sentence.Cites)})
		}
		if len(stand) == 0 && !a.Partial {
			out = append(out, node.Sentence{Slot: s.name})
		}
	}
	return out, dropped
}

// wantedSlots lists the slots of a module that no person filled. purposeFrom is the source of its purpose.
func (d *Docs) wantedSlots(k *survey.Module, purposeFrom string) []slot {
	if d.config.Text == nil || kindOf(k) == kindTests || isExample(Summary{Path: k.Module.Path}) || len(d.shownUnits(k)) == 0 {
		return nil
	}
	doc, _ := k.Module.Doc()
	return slices.DeleteFunc(slices.Clone(slots), func(s slot) bool {
		return s.name == purposeSlot && purposeFrom == node.FromDoc || s.name == overviewSlot && (doc != "" || k.Readme != nil)
	})
}

// shownUnits lists the files of a module that a model may see.
func (d *Docs) shownUnits(k *survey.Module) []source.Unit {
	return slices.DeleteFunc(slices.Clone(k.Module.Units), func(u source.Unit) bool {
		return u.File.Test || u.File.Generated || u.Opaque != "" || u.File.Problem != "" || d.config.Hidden(u.Path)
	})
}

// askModule returns the request for a module, or nil if no slot is open.
func (d *Docs) askModule(in engine.Input, slice map[string]any) (*prompt.Request, error) {
	k, err := survey.Read(in, in.Unit.Subject)
	if err != nil {
		return nil, err
	}
	wanted := d.wantedSlots(k, draftOf(slice).From)
	n := cmp.Or(nodeOf(in.Previous), &node.Node{})
	if _, broken := k.Broken(); broken || len(wanted) == 0 || !in.Again && !openSlots(n, wanted, outrun(k, d.shownUnits(k), n.ProseEvidence)) {
		return nil, nil
	}
	flows, err := survey.FlowsOf(in, k.Module.Path)
	if err != nil {
		return nil, err
	}
	shown, err := d.showModule(k, flows)
	if err != nil {
		return nil, err
	}
	return proseRequest(in.Unit, wanted, shown.text), nil
}

// openSlots reports whether a model could fill a slot: it was not asked yet, or the evidence changed.
func openSlots(n *node.Node, wanted []slot, outrun []string) bool {
	return len(wanted) > 0 && (len(outrun) > 0 || slices.ContainsFunc(wanted, func(s slot) bool { _, asked := n.ProseIn(s.name); return !asked }))
}

// addProse puts a model's answer into the node of a module, or keeps the stored prose.
func (d *Docs) addProse(n, was *node.Node, k *survey.Module, flows []source.Flow, raw string) (open bool, dropped []prompt.Dropped, err error) {
	wanted := d.wantedSlots(k, n.PurposeFrom)
	_, broken := k.Broken()
	if answer, ok := readProse(raw); ok && len(wanted) > 0 && !broken {
		shown, err := d.showModule(k, flows)
		if err != nil {
			return false, nil, err
		}
		var held []node.Sentence
		held, dropped = answer.hold(wanted, &shown.Shown, func(cites []grounding.Cite) []string { return declaredIn(k, cites) })
		if answer.Partial && len(held) == 0 {
			open, _, err = d.addProse(n, was, k, flows, "")
			return open, dropped, err
		}
		n.Prose, n.ProseEvidence = held, shown.evidence
		if answer.Partial && was != nil && slices.Equal(was.ProseEvidence, shown.evidence) {
			n.Prose = joinedProse(n.Prose, was.Prose, wanted)
		}
		return openSlots(n, wanted, nil), dropped, nil
	}
	if was != nil {
		n.Prose = slices.DeleteFunc(slices.Clone(was.Prose), func(s node.Sentence) bool {
			return d.config.Text != nil && !broken && !slices.ContainsFunc(wanted, func(w slot) bool { return w.name == s.Slot })
		})
		if len(n.Prose) > 0 {
			n.ProseEvidence = was.ProseEvidence
		}
	}
	if !broken {
		n.Outrun = outrun(k, d.shownUnits(k), n.ProseEvidence)
	}
	return openSlots(n, wanted, n.Outrun) && !broken, nil, nil
}

// joinedProse adds the sentences of other slots, in the order of the slots.
func joinedProse(list, others []node.Sentence, wanted []slot) (out []node.Sentence) {
	for _, w := range wanted {
		of := func(s node.Sentence) bool { return s.Slot != w.name }
		now := slices.DeleteFunc(slices.Clone(list), of)
		if len(now) == 0 {
			now = slices.DeleteFunc(slices.Clone(others), of)
		}
		out = append(out, now...)
	}
	return out
}

// declaredIn names the declarations in cited lines: FILE#NAME, or FILE for none or many. Lines within one declaration
// name the innermost, other lines the outermost ones.
func declaredIn(k *survey.Module, cites []grounding.Cite) []string {
	var out []string
	for _, c := range cites {
		var names []string
		var within *source.Declared
		base := canonical.Path(path.Base(c.File))
		for i := range k.Declared {
			d := &k.Declared[i]
			if c.From == 0 || d.Path != c.File || c.To < d.Line || d.End < c.From {
				continue
			}
			names = append(names, base+"#"+d.Name)
			if d.Line <= c.From && c.To <= d.End && (within == nil || within.End-within.Line > d.End-d.Line) {
				within = d
			}
		}
		if within != nil {
			names = []string{base + "#" + within.Name}
		}
		names = slices.DeleteFunc(names, func(member string) bool {
			return slices.ContainsFunc(names, func(owner string) bool { return strings.HasPrefix(member, owner+".") })
		})
		if len(names) == 0 || len(names) > fewNames {
			names = []string{base}
		}
		out = append(out, names...)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

type shownModule struct {
	grounding.Shown
	text     string
	evidence []node.Evidence
}

// The bounds of a model's input. A module of up to wholeBytes is shown completely. Of a larger one, the model sees the
// exported declarations and the code of a few: most changes of the code then need no request.
const (
	wholeBytes    = 6 << 10
	declaredBytes = 4 << 10
	codeBytes     = 3 << 10
	mostCode      = 2 // exported functions
	shortestCode  = 3 // lines
	longestCode   = 30
)

func (d *Docs) showModule(k *survey.Module, flows []source.Flow) (*shownModule, error) {
	s, units := &shownModule{}, d.shownUnits(k)
	label := nameOf(k)
	for i := range k.Declared {
		s.AddNames(k.Declared[i].Name, lastElement(k.Declared[i].Name), label+"."+k.Declared[i].Name)
	}
	s.AddNames(label, canonical.Path(k.Module.Path))
	size, texts := 0, fileLines{}
	for _, u := range units {
		content, err := d.config.Text(u.Path)
		if err != nil {
			return nil, fmt.Errorf("read %s for a model: %w", canonical.Path(u.Path), err)
		}
		texts[u.Path] = strings.Split(strings.TrimSuffix(strings.ToValidUTF8(string(content), "\uFFFD"), "\n"), "\n")
		size += len(content)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "Module %s in directory %s, %s.\n", label, canonical.Path(k.Module.Path), LanguageTitle(k.Module.Language()))
	if size <= wholeBytes {
		s.evidence = append(s.evidence, listedEvidence(units))
		for _, u := range units {
			lines := texts[u.Path]
			s.AddLines(u.Path, 1, lines)
			s.evidence = append(s.evidence, evidence(fileEvidence, path.Base(u.Path), u.File.Content))
			b.WriteString(prompt.Data(canonical.Path(u.Path), prompt.Numbered(1, lines)))
		}
	}
	s.refer(k, label, texts)
	if size > wholeBytes {
		b.WriteString(s.declarations(k, units, label, texts))
		b.WriteString(s.code(k, flows, texts))
	}
	s.text = b.String()
	return s, nil
}

// refer makes each declaration citable by its name.
func (s *shownModule) refer(k *survey.Module, label string, texts fileLines) {
	for i := range k.Declared {
		d := &k.Declared[i]
		if lines := texts.of(d); len(lines) > 0 {
			text := d.Signature + "\n" + d.Doc + "\n" + strings.Join(lines, "\n")
			s.AddRef(label+"."+d.Name, text, grounding.Cite{File: d.Path, From: d.Line, To: d.End})
		}
	}
}

// fileLines holds the lines of files by path.
type fileLines map[string][]string

func (f fileLines) of(d *source.Declared) []string {
	lines := f[d.Path]
	if d.Line < 1 || d.End > len(lines) || d.Line > d.End {
		return nil
	}
	return lines[d.Line-1 : d.End]
}

// outlined lists the exported declarations of a large module up to declaredBytes: types, then functions and members,
// then constants.
func outlined(k *survey.Module, units []source.Unit) []*source.Declared {
	rank := func(d *source.Declared) int {
		switch {
		case d.Kind == source.Const || d.Kind == source.Var || d.Kind == source.Field || d.Kind == source.Reexport:
			return 3
		case strings.Contains(d.Symbol.Name, "."):
			return 2
		case d.Kind == source.Func:
			return 1
		}
		return 0
	}
	var list []*source.Declared
	for i := range k.Declared {
		d := &k.Declared[i]
		if d.Exported && slices.ContainsFunc(units, func(u source.Unit) bool { return u.Path == d.Path }) {
			list = append(list, d)
		}
	}
	slices.SortStableFunc(list, func(a, b *source.Declared) int { return rank(a) - rank(b) })
	size := 0
	for i, d := range list {
		if size += len(d.Name) + len(d.Path) + len(lineOf(d)); size > declaredBytes {
			return list[:i]
		}
	}
	return list
}

func (s *shownModule) declarations(k *survey.Module, units []source.Unit, label string, texts fileLines) string {
	var b strings.Builder
	list := outlined(k, units)
	for _, d := range list {
		fmt.Fprintf(&b, "%s.%s (%s:%d-%d) %s\n", label, d.Name, canonical.Path(d.Path), d.Line, d.End, lineOf(d))
		s.AddLines(d.Path, d.Line, texts.of(d))
	}
	for _, u := range units {
		if digest, ok := outlineDigest(list, u.Path); ok {
			s.evidence = append(s.evidence, evidence(outlineEvidence, path.Base(u.Path), digest))
		}
	}
	return prompt.Data("declarations", b.String())
}

// lineOf returns the first sentence of a documentation, or else the signature.
func lineOf(d *source.Declared) string {
	return strings.Join(strings.Fields(cmp.Or(node.Opening(d.Doc), d.Signature)), " ")
}

// code shows the beginnings of the functions of the first flow, or else of main and the first exported functions.
func (s *shownModule) code(k *survey.Module, flows []source.Flow, texts fileLines) string {
	var b strings.Builder
	for _, d := range telling(k, flows) {
		lines := texts.of(d)
		lines = lines[:min(len(lines), longestCode)]
		text := prompt.Data(canonical.Path(d.Path), prompt.Numbered(d.Line, lines))
		if len(lines) < shortestCode || b.Len()+len(text) > codeBytes {
			continue
		}
		b.WriteString(text)
		s.AddLines(d.Path, d.Line, lines)
		s.evidence = append(s.evidence, evidence(codeEvidence, path.Base(d.Path)+"#"+d.Name, cmp.Or(d.Code, d.Content)))
	}
	return b.String()
}

// telling lists the functions that explain most about the module.
func telling(k *survey.Module, flows []source.Flow) []*source.Declared {
	var first, exported []*source.Declared
	declared := map[string]*source.Declared{}
	for i := range k.Declared {
		d := &k.Declared[i]
		declared[d.Name] = d
		switch {
		case d.Symbol.Name == "main":
			first = append(first, d)
		case d.Kind == source.Func && d.Exported:
			exported = append(exported, d)
		}
	}
	if len(flows) == 0 {
		return append(first, exported[:min(len(exported), mostCode)]...)
	}
	out := []*source.Declared{declared[flows[0].Entry]}
	for _, step := range flows[0].Steps {
		if step.Module == k.Module.Path {
			out = append(out, declared[step.Name])
		}
	}
	return slices.DeleteFunc(out, func(d *source.Declared) bool { return d == nil })
}
