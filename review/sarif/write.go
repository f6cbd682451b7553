package sarif

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/causaldocs/causal/review/finding"
)

// Write writes findings as one run of causal. Skipped files and failed checks become notifications. The output does
// not depend on the order of the findings.
func Write(w io.Writer, findings []finding.Finding, skipped []finding.Skipped, failed ...string) error {
	findings = slices.Clone(findings)
	slices.SortStableFunc(findings, func(a, b finding.Finding) int {
		return cmp.Or(finding.Compare(a, b), strings.Compare(a.Message, b.Message))
	})
	rules := rulesOf(findings)
	results := []any{}
	for _, f := range findings {
		at, _ := slices.BinarySearchFunc(rules, f.Rule, func(r outRule, id string) int { return strings.Compare(r.ID, id) })
		results = append(results, resultOf(f, at))
	}
	log := object{
		"$schema": "https://json.schemastore.org/sarif-2.1.0.json",
		"version": "2.1.0",
		"runs": []object{{
			"tool": object{"driver": object{
				"name":           "causal",
				"informationUri": "https://github.com/causaldocs/causal",
				"rules":          rules,
			}},
			"columnKind":  "utf16CodeUnits",
			"invocations": []object{{"executionSuccessful": len(failed) == 0, "toolExecutionNotifications": notifications(skipped, failed)}},
			"results":     results,
		}},
	}
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(log); err != nil {
		return fmt.Errorf("writing SARIF: %w", err)
	}
	return nil
}

// object is a SARIF object. Its members are written in name order.
type object map[string]any

type outRule struct {
	ID         string `json:"id"`
	Properties struct {
		Tags []finding.Category `json:"tags"`
	} `json:"properties"`
}

func rulesOf(findings []finding.Finding) []outRule {
	tags := map[string][]finding.Category{}
	for _, f := range findings {
		if !slices.Contains(tags[f.Rule], f.Category) {
			tags[f.Rule] = append(tags[f.Rule], f.Category)
		}
	}
	rules := []outRule{}
	for id, categories := range tags {
		slices.Sort(categories)
		r := outRule{ID: id}
		r.Properties.Tags = categories
		rules = append(rules, r)
	}
	slices.SortFunc(rules, func(a, b outRule) int { return strings.Compare(a.ID, b.ID) })
	return rules
}

func resultOf(f finding.Finding, rule int) object {
	out := object{
		"ruleId":     f.Rule,
		"ruleIndex":  rule,
		"level":      f.Severity,
		"message":    object{"text": f.Message},
		"locations":  []object{locationOf(f)},
		"properties": object{"category": f.Category},
	}
	if f.ID != "" {
		out["partialFingerprints"] = object{"causalFinding/v1": f.ID}
	}
	if f.Suggestion != nil {
		out["fixes"] = []object{fixOf(*f.Suggestion)}
	}
	var related []object
	for _, d := range f.Dependants {
		o := physical(d.Path, d.Line, d.Line)
		o["message"] = object{"text": "used in the module " + d.Module}
		related = append(related, o)
	}
	if related != nil {
		out["relatedLocations"] = related
	}
	return out
}

// locationOf returns the location of a finding, or only the file for the old version, which viewers do not show.
func locationOf(f finding.Finding) object {
	line := f.Line
	if f.Side == finding.Left {
		line = 0
	}
	o := physical(f.Path, line, f.EndLine)
	if f.Symbol != "" {
		o["logicalLocations"] = []object{{"fullyQualifiedName": f.Symbol}}
	}
	return o
}

func physical(path string, line, end int) object {
	where := object{"artifactLocation": object{"uri": encode(path)}}
	if line > 0 {
		where["region"] = object{"startLine": line, "endLine": max(line, end)}
	}
	return object{"physicalLocation": where}
}

// fixOf replaces whole lines without the last line end, as a region without columns means.
func fixOf(s finding.Suggestion) object {
	return object{
		"artifactChanges": []object{{
			"artifactLocation": object{"uri": encode(s.Path)},
			"replacements": []object{{
				"deletedRegion":   object{"startLine": s.Line, "endLine": max(s.Line, s.EndLine)},
				"insertedContent": object{"text": s.Replacement},
			}},
		}},
	}
}

func notifications(skipped []finding.Skipped, failed []string) []object {
	skipped = slices.Clone(skipped)
	slices.SortFunc(skipped, func(a, b finding.Skipped) int {
		return strings.Compare(a.Path+"\x00"+a.Reason, b.Path+"\x00"+b.Reason)
	})
	out := []object{}
	for _, f := range failed {
		out = append(out, object{"level": "error", "message": object{"text": f}})
	}
	for _, s := range skipped {
		out = append(out, object{"level": "warning", "message": object{"text": "not analysed: " + s.Reason}, "locations": []object{physical(s.Path, 0, 0)}})
	}
	return out
}
