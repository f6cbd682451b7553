package sarif

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"path"
	"strings"
	"testing"

	"github.com/causaldocs/causal/review/finding"
)

const root = "/work tree/shop"

// members is the text of members of an object.
type members map[string]any

func logOf(run members, results ...any) string {
	all := members{"tool": members{"driver": members{"name": "Demo Lint"}}, "results": results}
	maps.Copy(all, run)
	return encoded(members{"version": "2.1.0", "runs": []any{all}})
}

func encoded(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(text)
}

func at(uri string, region members) []any {
	where := members{"artifactLocation": members{"uri": uri}}
	if region != nil {
		where["region"] = region
	}
	return []any{members{"physicalLocation": where}}
}

// res is a result in line 3 of a file, with other members.
func res(more members) members {
	all := members{"ruleId": "x", "message": members{"text": "said"}, "locations": at("a.go", members{"startLine": 3})}
	for k, v := range more {
		all[k] = v
		if v == nil {
			delete(all, k)
		}
	}
	return all
}

func mustRead(t *testing.T, text string) Run {
	t.Helper()
	log, err := Read(strings.NewReader(text), "lint.sarif", root)
	if err != nil {
		t.Fatal(err)
	}
	if len(log.Runs) != 1 {
		t.Fatalf("%d runs", len(log.Runs))
	}
	return log.Runs[0]
}

func mustReadOne(t *testing.T, text string) Result {
	t.Helper()
	run := mustRead(t, text)
	if len(run.Results) != 1 {
		t.Fatalf("%d results of %s", len(run.Results), text)
	}
	return run.Results[0]
}

func TestRead(t *testing.T) {
	t.Parallel()
	want := Result{
		Rule: "demo-lint/x", Category: finding.Maintainability, Severity: finding.Warning, Path: "a.go",
		Region: Region{Line: 3, EndLine: 3}, Message: "said",
	}
	for _, text := range []string{
		logOf(nil, res(nil)),
		"\xef\xbb\xbf" + logOf(nil, res(nil)),
		logOf(nil, res(nil), res(nil)), // told twice
		`{"runs": [{"results": [` + encoded(res(nil)) + `], "other": [1, {"a": [[[[{}]]]], "b": null}, "c"], "tool": {"driver": {"name": "demo lint"}}}], "version": "2.1.0", "$schema": ""}`,
	} {
		if got := mustReadOne(t, text); got != want {
			t.Errorf("%+v of %s", got, text)
		}
		if run := mustRead(t, text); !run.Looked() || run.Tool != "demo-lint" {
			t.Errorf("%+v of %s", run, text)
		}
	}
}

func TestReadRefuses(t *testing.T) {
	t.Parallel()
	many := func(n int, text string) string { return strings.TrimSuffix(strings.Repeat(text+",", n), ",") }
	const run = `{"version": "2.1.0", "runs": [{"tool": {"driver": {"name": "x"%s}}%s}]}`
	for _, test := range []struct{ name, text, want string }{
		{"empty", "", "lint.sarif:1: it is empty"},
		{"only a mark", "\xef\xbb\xbf", "lint.sarif:1: it is empty"},
		{"a list", "[]", "lint.sarif:1: the log is no object"},
		{"a text", `"text"`, "lint.sarif:1: the log is no object"},
		{"null", `null`, "lint.sarif:1: it has no version, so it is no SARIF log"},
		{"malformed", "{\"version\": \"2.1.0\",\n \"runs\": [\n  oops\n ]}\n", "lint.sarif:3: invalid character 'o' looking for beginning of value"},
		{"malformed within a value", "{\n\"version\": \"2.1.0\",\n \"runs\": [{\"results\": [{\n\n\"ruleId\": \"x\",\n oops\n }]}\n", "lint.sarif:6: invalid character 'o' looking for beginning of object key string"},
		{"malformed in what is skipped", "{\n\"other\": {\"a\": [\n[[[[[\noops", "lint.sarif:4: invalid character 'o' looking for beginning of value"},
		{"no comma", "{\"version\": \"2.1.0\"\n \"runs\": []}", "lint.sarif:2: invalid character '\"' after object key:value pair"},
		{"no comma in a list", "{\"runs\": [{\"results\": [{}\n{\n\n}\n]}]}", "lint.sarif:2: expected comma after array element"},
		{"cut off", logOf(nil, res(nil))[:100], "lint.sarif:1: it ends before the log does"},
		{"cut off between values", "{\n\"version\": \"2.1.0\",\n", "lint.sarif:3: it ends before the log does"},
		{"followed", logOf(nil) + "\n{}", "lint.sarif:2: something follows the log"},
		{"wrong version", `{"version": "1.0.0", "runs": []}`, "lint.sarif:1: version 1.0.0 is not read, only SARIF 2.1.0 is"},
		{"odd version", `{"version": 2, "runs": []}`, "lint.sarif:1: version 2 is not read, only SARIF 2.1.0 is"},
		{"no version", `{"runs": []}`, "lint.sarif:1: it has no version, so it is no SARIF log"},
		{"runs are an object", `{"version": "2.1.0", "runs": {}}`, "lint.sarif:1: runs is no list"},
		{"no tool", `{"version": "2.1.0", "runs": [{}]}`, "lint.sarif:1: a run does not name its tool (tool.driver.name)"},
		{"unseen tool", `{"version": "2.1.0", "runs": [{"tool": {"driver": {"name": " \n"}}}]}`, "lint.sarif:1: a run does not name its tool (tool.driver.name)"},
		{"binary", "\x00\x01\x02\n", `lint.sarif:1: invalid character '\x00' looking for beginning of value`},
		{"compressed", "\x1f\x8b\x08\x00", "lint.sarif:1: it is compressed, SARIF is JSON"},
		{"UTF-16", "\xff\xfe{\x00}\x00", "lint.sarif:1: it is UTF-16, SARIF is UTF-8"},
		{"deep", `{"version": "2.1.0", "runs": ` + strings.Repeat("[", 200_000), "lint.sarif:1: a run is no object"},
		{"deep elsewhere", `{"version": "2.1.0", "properties": ` + strings.Repeat("[", 200_000), "lint.sarif:1: invalid character '[' exceeded max depth"},
		{"deep result", `{"version": "2.1.0", "runs": [{"results": [` + strings.Repeat(`{"a":`, 200_000), "lint.sarif:1: invalid character '{' exceeded max depth"},
		{"runs", `{"version": "2.1.0", "runs": [` + many(mostRuns+1, `{"tool": {"driver": {"name": "x"}}}`) + `]}`, "lint.sarif:1: it has more than 20 runs"},
		{"rules", fmt.Sprintf(run, `, "rules": [`+many(mostRules+1, `{}`)+`]`, ""), "lint.sarif:1: a run has more than 25000 rules"},
		{"extensions", `{"version": "2.1.0", "runs": [{"tool": {"extensions": [` + many(mostListed+1, `{}`) + `]}}]}`, "lint.sarif:1: a tool has more than 64 extensions"},
		{"a large text", fmt.Sprintf(run, "", `, "other": "`+strings.Repeat("x", 9<<20)+`"`), "lint.sarif:1: one value is larger than 4 MiB"},
		{"large white space", fmt.Sprintf(run, "", strings.Repeat(" ", 9<<20)), "lint.sarif:1: one value is larger than 4 MiB"},
		{"large rules", fmt.Sprintf(run, `, "rules": [`+many(9000, `{"fullDescription": {"text": "`+strings.Repeat("x", longestMessage)+`"}}`)+`]`, ""), "lint.sarif:1: its rules and files take more than 64 MiB"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			_, err := Read(strings.NewReader(test.text), "lint.sarif", root)
			if err == nil || err.Error() != test.want {
				t.Errorf("%v, expected %s", err, test.want)
			}
		})
	}
}

// endless is a log of one run with as many results as are read of it.
type endless struct{ begun bool }

func (e *endless) Read(p []byte) (int, error) {
	if !e.begun {
		e.begun = true
		return copy(p, `{"version": "2.1.0", "runs": [{"results": [{}`), nil
	}
	const more = ",{}                                                             "
	n := 0
	for n+len(more) <= len(p) {
		n += copy(p[n:], more)
	}
	return n, nil
}

func TestReadEnds(t *testing.T) {
	t.Parallel()
	_, err := Read(&endless{}, "lint.sarif", root)
	if err == nil || err.Error() != "lint.sarif:1: it is larger than 128 MiB" {
		t.Error(err)
	}
	failing := io.MultiReader(strings.NewReader(`{"version"`), &broken{})
	if _, err := Read(failing, "lint.sarif", root); err == nil || err.Error() != "lint.sarif:1: the disk is gone" {
		t.Error(err)
	}
}

type broken struct{}

func (*broken) Read([]byte) (int, error) { return 0, fmt.Errorf("the disk is gone") }

func TestReadManyResults(t *testing.T) {
	t.Parallel()
	one := func(i int) string {
		return fmt.Sprintf(`{"ruleId":"r%d","message":{"text":"m"},"locations":[{"physicalLocation":{"artifactLocation":{"uri":"a.go"},"region":{"startLine":%d}}}]}`, i%50, i+1)
	}
	var b strings.Builder
	for i := range mostResults + 7 {
		b.WriteString(one(i) + ",")
	}
	run := mustRead(t, `{"version":"2.1.0","runs":[{"tool":{"driver":{"name":"x"}},"results":[`+strings.TrimSuffix(b.String(), ",")+`]}]}`)
	if len(run.Results) != mostResults || run.More != 7 || run.Unfinished != "7 of its results were not read, for there are too many" {
		t.Errorf("%d results, %d more, %s", len(run.Results), run.More, run.Unfinished)
	}
}

func TestReadLongResults(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	for i := range 9000 {
		fmt.Fprintf(&b, `{"ruleId":"x%d","message":{"text":"%s"}},`, i, strings.Repeat("long ", 2000))
	}
	run := mustRead(t, `{"version":"2.1.0","runs":[{"tool":{"driver":{"name":"x"}},"results":[`+strings.TrimSuffix(b.String(), ",")+`]}]}`)
	if kept := len(run.Results); kept > mostText/longestMessage || kept < mostText/longestMessage-100 || run.More != 9000-kept || run.Looked() {
		t.Errorf("%d results, %d more, %s", kept, run.More, run.Unfinished)
	}
	if m := run.Results[0].Message; len(m) > longestMessage || !strings.HasSuffix(m, "long lo…") && !strings.HasSuffix(m, "…") {
		t.Errorf("a message of %d bytes", len(m))
	}
}

func TestUnfinished(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		run  members
		want string
	}{
		{members{"invocations": []any{}}, ""},
		{members{"invocations": nil}, ""},
		{members{"invocations": []any{members{"executionSuccessful": true}}}, ""},
		{members{"invocations": []any{members{"exitCode": 1}}}, ""},
		{members{"invocations": []any{members{"executionSuccessful": true}, members{"executionSuccessful": false}}}, "its log says that it failed"},
		{members{"invocations": []any{members{"executionSuccessful": "false"}}}, "its log says that it failed"},
		{members{"externalPropertyFileReferences": members{"results": []any{members{"itemCount": 3}}}}, "its log keeps results in other files, which are not read"},
		{members{"externalPropertyFileReferences": members{"artifacts": []any{members{}}}}, ""},
		{members{"results": nil}, ""},
		{members{"results": []any{res(members{"locations": at("a.go", members{"startLine": "5"})})}}, "a result of it cannot be read: its startLine is of the type string"},
		{members{"results": []any{res(members{"locations": []any{members{"physicalLocation": members{"artifactLocation": members{"index": 7}}}}})}}, "it has results in files that its log does not list"},
	} {
		if got := mustRead(t, logOf(test.run)).Unfinished; got != test.want {
			t.Errorf("%q of %s, expected %q", got, encoded(test.run), test.want)
		}
	}
}

func TestOwnLogAddsNothing(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	if err := Write(&b, []finding.Finding{{Rule: "api-break", Severity: finding.Error, Path: "a.go", Line: 3, EndLine: 3, Message: "gone"}}, nil); err != nil {
		t.Fatal(err)
	}
	log, err := Read(strings.NewReader(b.String()), "own.sarif", root)
	if err != nil || len(log.Runs) != 0 {
		t.Errorf("%+v, %v", log, err)
	}
}

func TestNames(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ tool, rule, want string }{
		{"ESLint", "no-undef", "eslint/no-undef"},
		{"Semgrep OSS", "go.lang.x", "semgrep-oss/go.lang.x"},
		{"github/codeql", "js/xss", "github-codeql/js/xss"},
		{"principle", "x", "tool-principle/x"},
		{"x", " two words ", "x/two words"},
		{"x", "a\nb\x1b[31m\u202ec\u2028", "x/a-b-[31m-c"},
		{"x", "", "x/unnamed"},
		{"x", "\u00e9\xff", "x/é\ufffd"},
		{"x", strings.Repeat("é", 200), "x/" + strings.Repeat("é", 98) + "…"},
	} {
		run := members{"tool": members{"driver": members{"name": test.tool}}}
		if got := mustReadOne(t, logOf(run, res(members{"ruleId": test.rule}))).Rule; got != test.want {
			t.Errorf("%q, expected %q", got, test.want)
		}
	}
}

func TestDropped(t *testing.T) {
	t.Parallel()
	status := func(all ...any) members {
		var list []any
		for _, s := range all {
			m := members{"kind": "inSource"}
			if s != nil {
				m["status"] = s
			}
			list = append(list, m)
		}
		return members{"suppressions": list}
	}
	for _, test := range []struct {
		result members
		want   string
	}{
		{res(nil), ""},
		{res(status()), ""},
		{res(status(nil)), "suppressed"},
		{res(status("accepted")), "suppressed"},
		{res(status("underReview")), ""},
		{res(status("accepted", "rejected")), ""},
		{res(members{"kind": "pass"}), "of kind pass"},
		{res(members{"kind": "notApplicable"}), "of kind notApplicable"},
		{res(members{"kind": "review"}), ""},
		{res(members{"baselineState": "absent"}), "no more there, by the tool's own baseline"},
		{res(members{"baselineState": "unchanged"}), ""},
		{res(members{"locations": nil}), "without a location in a file"},
		{res(members{"locations": []any{}}), "without a location in a file"},
		{res(members{"locations": []any{members{}}}), "without a location in a file"},
		{res(members{"locations": at("a.go", nil)}), "without a line"},
		{res(members{"locations": at("a.go", members{"startLine": 0})}), "without a line"},
		{res(members{"locations": at("a.go", members{"startLine": -4})}), "without a line"},
		{res(members{"locations": at("a.go", members{"startLine": 1.5})}), "without a line"},
		{res(members{"locations": at("a.go", members{"startLine": 1 << 62})}), "without a line"},
		{res(members{"locations": at("a.go", members{"charOffset": 3})}), "without a line"},
		{res(members{"locations": at("a.go", members{"startLine": "5"})}), "it is not as SARIF says: its startLine is of the type string"},
		{res(members{"locations": []any{members{"physicalLocation": members{"artifactLocation": members{"uri": 7}}}}}), "it is not as SARIF says: its uri is of the type number"},
		{res(members{"message": "said", "locations": members{}}), "it is not as SARIF says: its locations is of the type object"},
		{res(members{"locations": members{}}), "it is not as SARIF says: its locations is of the type object"},
	} {
		if got := mustReadOne(t, logOf(nil, test.result)); got.Dropped != test.want || got.Rule != "demo-lint/x" {
			t.Errorf("%q of %s, expected %q", got.Dropped, encoded(test.result), test.want)
		}
	}
}

func TestRules(t *testing.T) {
	t.Parallel()
	run := members{"tool": members{
		"driver": members{"name": "x", "rules": []any{
			members{"id": "strict", "defaultConfiguration": members{"level": "error"}, "shortDescription": members{"text": "Be strict."}},
			members{"id": "quiet", "defaultConfiguration": members{"level": "none"}},
			members{"id": "odd", "defaultConfiguration": members{"level": 7}, "properties": "none"},
		}},
		"extensions": []any{members{"name": "more", "rules": []any{members{"id": "strict", "defaultConfiguration": members{"level": "note"}}}}},
	}}
	for _, test := range []struct {
		result members
		rule   string
		want   finding.Severity
	}{
		{members{}, "x/x", "warning"},
		{members{"level": "error"}, "x/x", "error"},
		{members{"level": "none"}, "x/x", "note"},
		{members{"level": "fatal"}, "x/x", "warning"},
		{members{"kind": "informational"}, "x/x", "note"},
		{members{"kind": "informational", "level": "warning"}, "x/x", "warning"},
		{members{"ruleId": "strict"}, "x/strict", "error"},
		{members{"ruleId": "strict", "level": "note"}, "x/strict", "note"},
		{members{"ruleId": "strict/one"}, "x/strict/one", "error"},
		{members{"ruleId": "quiet"}, "x/quiet", "note"},
		{members{"ruleId": "odd"}, "x/odd", "warning"},
		{members{"ruleId": nil, "ruleIndex": 1}, "x/quiet", "note"},
		{members{"ruleId": nil, "ruleIndex": 9}, "x/unnamed", "warning"},
		{members{"ruleId": nil, "ruleIndex": -1}, "x/unnamed", "warning"},
		{members{"ruleId": nil, "rule": members{"index": 0}}, "x/strict", "error"},
		{members{"ruleId": nil, "rule": members{"id": "strict"}}, "x/strict", "error"},
		{members{"ruleId": nil, "rule": members{"index": 0, "toolComponent": members{"index": 0}}}, "x/strict", "note"},
		{members{"rule": members{"id": "strict", "toolComponent": members{"name": "more"}}, "ruleId": "strict"}, "x/strict", "note"},
	} {
		if got := mustReadOne(t, logOf(run, res(test.result))); got.Rule != test.rule || got.Severity != test.want {
			t.Errorf("%s %s of %s, expected %s %s", got.Rule, got.Severity, encoded(test.result), test.rule, test.want)
		}
	}
}

func TestCategories(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		rule, result members
		level        string
		want         finding.Category
	}{
		{nil, nil, "error", finding.Correctness},
		{nil, nil, "warning", finding.Maintainability},
		{members{"tags": []any{"maintainability", "external/cwe/cwe-079"}}, nil, "error", finding.Security},
		{members{"tags": []any{"CWE-79: Cross-site Scripting"}}, nil, "note", finding.Security},
		{members{"security-severity": "9.8"}, nil, "warning", finding.Security},
		{members{"security-severity": nil, "tags": []any{7, "correctness"}}, nil, "warning", finding.Correctness},
		{members{"category": "Possible Errors"}, nil, "warning", finding.Correctness},
		{members{"category": "Best Practices"}, nil, "error", finding.Maintainability},
		{members{"category": members{}, "tags": "style"}, nil, "error", finding.Correctness},
		{members{"tags": []any{"PERFORMANCE"}}, nil, "error", finding.Performance},
		{nil, members{"tags": []any{"testing"}}, "error", finding.Tests},
		{nil, members{"category": "documentation"}, "error", finding.DocsDrift},
		{members{"tags": []any{"testament"}}, nil, "error", finding.Correctness},
	} {
		run := members{"tool": members{"driver": members{"name": "x", "rules": []any{members{"id": "x", "properties": test.rule}}}}}
		if got := mustReadOne(t, logOf(run, res(members{"level": test.level, "properties": test.result}))).Category; got != test.want {
			t.Errorf("%s of %s %s, expected %s", got, encoded(test.rule), encoded(test.result), test.want)
		}
	}
}

// FuzzRead holds whatever is read to what is said of results.
func FuzzRead(f *testing.F) {
	for _, seed := range []string{
		logOf(nil, res(nil), res(members{"locations": at("file:///work%20tree/shop/b%0a.go", members{"startLine": 2, "endLine": 4, "endColumn": 1})})),
		logOf(members{"originalUriBaseIds": members{"A": members{"uri": "b/", "uriBaseId": "A"}}}, res(members{"message": members{"id": "m", "arguments": []any{"{0}", "b"}}})),
		`{"version": "2.1.0", "runs": [{"results": [{"locations": [{}, null, 7]}], "artifacts": [null]}]}`, "\xef\xbb\xbf[[[[", `{"runs":[{"tool":{"driver":{"rules":[{}]}}}]}`,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		log, err := read(strings.NewReader(text), "f", []string{root}, "")
		if err != nil {
			if !strings.HasPrefix(err.Error(), "f:") {
				t.Errorf("an error without a place: %v", err)
			}
			return
		}
		for _, run := range log.Runs {
			if strings.ContainsAny(run.Tool, " /\n") || len(run.Results) > len(text)/2 {
				t.Errorf("tool %q, %d results of %d bytes", run.Tool, len(run.Results), len(text))
			}
			for _, r := range run.Results {
				check(t, r)
			}
		}
	})
}

// check holds a result to what is true of all.
func check(t *testing.T, r Result) {
	t.Helper()
	if !strings.Contains(r.Rule, "/") || strings.ContainsFunc(r.Rule, func(c rune) bool { return c < ' ' }) || !r.Severity.Valid() || r.Message == "" {
		t.Errorf("%+v", r)
	}
	if len(r.Message) > longestMessage || len(r.Rule) > 2*longestName+1 || len(r.Dropped) > 10*longestName {
		t.Errorf("a message of %d bytes, a rule of %d, a reason of %d", len(r.Message), len(r.Rule), len(r.Dropped))
	}
	if r.Dropped == "" && (r.Line < 1 || r.EndLine < r.Line || r.Path == "") {
		t.Errorf("%+v", r)
	}
	if r.Path != "" && (path.Clean(r.Path) != r.Path || strings.HasPrefix(r.Path, "../") || r.Path == ".." || path.IsAbs(r.Path) || strings.Contains(r.Path, "\x00")) {
		t.Errorf("path %q", r.Path)
	}
}
