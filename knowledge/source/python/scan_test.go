package python_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/causaldocs/causal/knowledge/source/python"
)

func TestScan(t *testing.T) {
	t.Parallel()
	for src, want := range map[string]string{
		"if a.b: # no\n    return rb'x'": "0:if 0:a 4:. 0:b 4:: 0:return 2:rb'x'",
		"f(1_0, *x)\n":                   "0:f 4:( 1:1_0 4:, 4:* 0:x 4:)",
		"f'a{b}'":                        "3:f'a{ 0:b 3:}'",
		"a = '''x\ny''' $":               "0:a 4:= 2:'''x\ny''' 5:$",
		"'x":                             "2:'x",
		"":                               "",
	} {
		tokens, err := python.Scan(t.Context(), src)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, token := range tokens {
			got = append(got, fmt.Sprintf("%d:%s", token.Kind, token.Text))
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%q: got %s, want %s", src, strings.Join(got, " "), want)
		}
	}
}
