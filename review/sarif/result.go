package sarif

import (
	"cmp"
	"fmt"
	"strings"
	"unicode"

	"github.com/causaldocs/causal/review/finding"
)

const unnamed = "unnamed"

func (r *run) interpret(found *result) Result {
	component, rule := r.ruleOf(found)
	if rule == nil {
		rule = &descriptor{}
	}
	id := cmp.Or(found.RuleID, found.Rule.ID, rule.ID)
	out := Result{
		Rule:     r.out.Tool + "/" + cmp.Or(ruleName(string(id)), unnamed),
		Severity: severity(found, rule),
	}
	out.Category = category(out.Severity, found.Properties.v, rule.Properties.v)
	out.Message = cmp.Or(said(found, rule, component), out.Rule+" was reported.")
	out.Dropped = r.place(found, &out)
	if found.malformed != "" {
		out.Outside = ""
		out.Dropped = "it is not as SARIF says: " + found.malformed
		r.unfinished("a result of it cannot be read: " + found.malformed)
	} else if why := discounted(found); why != "" {
		out.Outside = ""
		out.Dropped = why
	}
	return out
}

func discounted(found *result) string {
	switch {
	case found.suppressed:
		return "suppressed"
	case found.Kind == "pass" || found.Kind == "notApplicable":
		return "of kind " + string(found.Kind)
	case found.Baseline == "absent":
		return "no more there, by the tool's own baseline"
	}
	return ""
}

func (r *run) place(found *result, out *Result) (dropped string) {
	if found.at.Physical == nil {
		return "without a location in a file"
	}
	where := *found.at.Physical.Artifact
	if where.URI == "" {
		if at := where.Index.from(0, -1); at >= 0 && at < len(r.artifacts) {
			where = r.artifacts[at]
		} else if at >= 0 {
			r.unfinished("it has results in files that its log does not list")
			return fmt.Sprintf("in file %d of a shorter list", at)
		}
	}
	out.Region = found.at.Physical.Region.read(r.points)
	out.Path, out.Outside, dropped = r.path(where)
	if dropped != "" {
		return dropped
	}
	if out.Line == 0 {
		out.Outside = ""
		return "without a line"
	}
	return ""
}

// severity returns the level of a result, or else of its rule. Results that are not complaints are notes.
func severity(found *result, rule *descriptor) finding.Severity {
	if found.Level == "" && found.Kind != "" && found.Kind != "fail" {
		return finding.Note
	}
	for _, level := range []text{found.Level, rule.Configuration.Level} {
		switch s := finding.Severity(level); {
		case s.Valid():
			return s
		case level == "none":
			return finding.Note
		}
	}
	return finding.Warning
}

// toolName returns the prefix of a tool's rules. It must not equal the prefix of causal's own rules.
func toolName(name string) string {
	name = strings.ReplaceAll(strings.ReplaceAll(ruleName(strings.ToLower(name)), " ", "-"), "/", "-")
	if name == "principle" {
		return "tool-principle"
	}
	return name
}

func ruleName(id string) string {
	id = strings.Map(func(r rune) rune {
		if r != ' ' && (unicode.IsSpace(r) || !unicode.IsGraphic(r)) {
			return '-'
		}
		return r
	}, strings.TrimSpace(id))
	return clip(id, longestName)
}
