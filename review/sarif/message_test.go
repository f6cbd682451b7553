package sarif

import (
	"strings"
	"testing"
)

func TestMessages(t *testing.T) {
	t.Parallel()
	run := members{"tool": members{"driver": members{
		"name": "x", "globalMessageStrings": members{"g": members{"text": "Global {0}."}},
		"rules": []any{
			members{"id": "x", "messageStrings": members{"m": members{"text": "Call {0} in place of {1}."}, "marked": members{"markdown": "`{0}`"}},
				"shortDescription": members{"text": "Short."}},
			members{"id": "full", "fullDescription": members{"text": "Full."}, "shortDescription": members{"text": "Short."}},
		},
	}}}
	args := func(all ...any) []any { return all }
	for _, test := range []struct {
		message members
		want    string
	}{
		{members{"text": "said"}, "said"},
		{members{"text": " two\nlines\r\n"}, "two\nlines"},
		{members{"text": "raw {0} {{x}} <b> \x1b[31m"}, "raw {0} {{x}} <b> \x1b[31m"},
		{members{"text": "Call {0} {1} {0}.", "arguments": args("a", "b")}, "Call a b a."},
		{members{"text": "{2} {} {x} {-1} {00} {+0} { {{0}} }} {", "arguments": args("a", "b")}, "{2} {} {x} {-1} a {+0} { {0} } {"},
		{members{"text": "{0}", "arguments": args("{1}", "no")}, "{1}"},
		{members{"id": "m", "arguments": args("a", "b")}, "Call a in place of b."},
		{members{"id": "m"}, "Call {0} in place of {1}."},
		{members{"id": "g", "arguments": args("a")}, "Global a."},
		{members{"id": "marked", "arguments": args("a")}, "`a`"},
		{members{"id": "none"}, "Short."},
		{members{"id": "none", "markdown": "**bold**"}, "**bold**"},
		{members{"text": "said", "markdown": "**bold**"}, "said"},
		{members{"text": " "}, "Short."},
		{members{}, "Short."},
		{members{"text": "from [input](1) and [more](2), [site](https://x)"}, "from input and [more](2), [site](https://x)"},
		{members{"text": "{0}", "arguments": args(strings.Repeat("x", 2*longestMessage))}, strings.Repeat("x", longestMessage-3) + "…"},
		{members{"text": strings.Repeat("{0}", 2000), "arguments": args(strings.Repeat("é", 4000))}, strings.Repeat("é", (longestMessage-3)/2) + "…"},
	} {
		result := res(members{"message": test.message, "relatedLocations": []any{members{"id": 1}, members{"id": 1.5}, members{}}})
		if got := mustReadOne(t, logOf(run, result)).Message; got != test.want {
			t.Errorf("%.200q of %.200s, expected %.200q", got, encoded(test.message), test.want)
		}
	}
	for rule, want := range map[string]string{"full": "Full.", "other": "x/other was reported."} {
		if got := mustReadOne(t, logOf(run, res(members{"ruleId": rule, "message": nil}))).Message; got != want {
			t.Errorf("%q, expected %q", got, want)
		}
	}
}
