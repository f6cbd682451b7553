package sarif

import (
	"encoding/json"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	_ "github.com/causaldocs/causal/knowledge/rapidseed"
	"github.com/causaldocs/causal/review/finding"
)

func written(t rapid.TB, findings []finding.Finding, skipped []finding.Skipped) string {
	t.Helper()
	var b strings.Builder
	if err := Write(&b, findings, skipped); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// shop is what a review could have found.
var shop = []finding.Finding{
	{
		ID: "f-2", Rule: "stale-name", Category: finding.DocsDrift, Severity: finding.Warning, Path: "money/my money.go", Line: 12, EndLine: 13,
		Side: finding.Right, Symbol: "Amount.String", Message: "The comment says <Parse> & more.",
		Suggestion: &finding.Suggestion{Path: "money/my money.go", Line: 12, EndLine: 12, Replacement: "// ParseAmount reads"},
	},
	{
		ID: "f-1", Rule: "api-break", Category: finding.APIBreak, Severity: finding.Error, Path: "money/a:b[1].go", Line: 7, EndLine: 7,
		Side: finding.Left, Symbol: "Parse", Message: "Parse is gone.",
		Dependants: []finding.Place{{Module: "cart", Path: "cart/cart.go", Line: 17}},
	},
	{Rule: "demo-lint/x", Category: finding.Security, Severity: finding.Note, Path: "web/app.js", Line: 1, EndLine: 1, Side: finding.Right, Message: "x"},
	{Rule: "demo-lint/x", Category: finding.Tests, Severity: finding.Note, Path: "web/app.js", Line: 2, EndLine: 2, Side: finding.Right, Message: "x"},
}

func TestWrite(t *testing.T) {
	t.Parallel()
	golden := filepath.Join("testdata", "shop.sarif")
	skipped := []finding.Skipped{{Path: "big.js", Reason: "larger than 2 MiB"}, {Path: "a b.go", Reason: "does not parse"}}
	got := written(t, shop, skipped)
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s is not what is written:\n%s", golden, got)
	}
	other := slices.Clone(shop)
	slices.Reverse(other)
	slices.Reverse(skipped)
	if written(t, other, skipped) != got {
		t.Error("the order of findings shows")
	}
}

func TestWriteNothing(t *testing.T) {
	t.Parallel()
	got := written(t, nil, nil)
	for _, want := range []string{`"results": []`, `"rules": []`, `"toolExecutionNotifications": []`} {
		if !strings.Contains(got, want) {
			t.Errorf("no %s in %s", want, got)
		}
	}
}

var uriReference = regexp.MustCompile(`^[A-Za-z0-9._~!$&'()*+;=@,/%-]+$`)

// TestWrittenIsReadBack holds what is written to what is read of it, and to what SARIF asks of it.
func TestWrittenIsReadBack(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		findings := rapid.SliceOfN(rapid.Custom(drawFinding), 0, 8).Draw(t, "findings")
		text := written(t, findings, nil)
		valid(t, text)
		log, err := read(strings.NewReader(text), "own.sarif", []string{root}, "")
		if err != nil || len(log.Runs) != 1 || log.Runs[0].Tool != "causal" || !log.Runs[0].Looked() {
			t.Fatalf("%+v, %v", log, err)
		}
		want := map[Result]bool{}
		for _, f := range findings {
			r := Result{Rule: "causal/" + f.Rule, Category: f.Category, Severity: f.Severity, Path: f.Path, Message: f.Message}
			if f.Side == finding.Left {
				r.Dropped = "without a line"
			} else {
				r.Region = Region{Line: f.Line, EndLine: f.EndLine}
			}
			want[r] = true
		}
		for _, r := range log.Runs[0].Results {
			if !want[r] {
				t.Fatalf("%+v of %+v", r, findings)
			}
			delete(want, r)
		}
		if len(want) > 0 {
			t.Fatalf("not read back: %+v", want)
		}
	})
}

func drawFinding(t *rapid.T) finding.Finding {
	part := rapid.StringMatching(`[^/\x00]{1,8}`).Filter(func(s string) bool {
		return s != "." && s != ".." && !strings.EqualFold(s, ".git")
	})
	line := rapid.IntRange(1, 99).Draw(t, "line")
	return finding.Finding{
		ID: rapid.StringMatching(`f-[0-9a-f]{4}`).Draw(t, "id"), Rule: rapid.StringMatching(`[a-z]{1,2}(-[a-z]|/[A-Z][0-9])?`).Draw(t, "rule"),
		Category: rapid.SampledFrom([]finding.Category{finding.Correctness, finding.Security, finding.APIBreak, finding.DocsDrift, finding.Tests, finding.Performance, finding.Maintainability}).Draw(t, "category"),
		Severity: rapid.SampledFrom([]finding.Severity{finding.Error, finding.Warning, finding.Note}).Draw(t, "severity"),
		Path:     strings.Join(rapid.SliceOfN(part, 1, 3).Draw(t, "path"), "/"), Line: line, EndLine: line + rapid.IntRange(0, 3).Draw(t, "lines"),
		Side:    rapid.SampledFrom([]finding.Side{finding.Left, finding.Right}).Draw(t, "side"),
		Message: "m" + rapid.String().Draw(t, "message") + ".",
	}
}

// valid holds a log to the parts of the schema that it uses.
func valid(t *rapid.T, text string) {
	var log struct {
		Runs []struct {
			Tool struct {
				Driver struct {
					Rules []struct{ ID string }
				}
			}
			Results []struct {
				RuleID    string
				RuleIndex int
				Level     string
				Message   struct{ Text string }
				Locations []struct {
					PhysicalLocation struct {
						ArtifactLocation struct{ URI string }
						Region           *struct{ StartLine, EndLine int }
					}
				}
				PartialFingerprints map[string]string
			}
		}
	}
	if err := json.Unmarshal([]byte(text), &log); err != nil {
		t.Fatal(err)
	}
	rules := log.Runs[0].Tool.Driver.Rules
	if !slices.IsSortedFunc(rules, func(a, b struct{ ID string }) int { return strings.Compare(a.ID, b.ID) }) || len(slices.Compact(slices.Clone(rules))) != len(rules) {
		t.Fatalf("rules %v", rules)
	}
	for _, r := range log.Runs[0].Results {
		where := r.Locations[0].PhysicalLocation
		uri := where.ArtifactLocation.URI
		if rules[r.RuleIndex].ID != r.RuleID || r.Message.Text == "" || len(r.PartialFingerprints["causalFinding/v1"]) != 6 || !uriReference.MatchString(uri) || path.IsAbs(uri) {
			t.Fatalf("%+v", r)
		}
		if g := where.Region; g != nil && (g.StartLine < 1 || g.EndLine < g.StartLine) {
			t.Fatalf("%+v", r)
		}
	}
}
