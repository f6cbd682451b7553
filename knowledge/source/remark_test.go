package source_test

import (
	"testing"

	"github.com/causaldocs/causal/knowledge/source"
)

func TestRemark(t *testing.T) {
	t.Parallel()
	for between, want := range map[string]string{
		"{\n  // The port of the server.\n":                          "The port of the server.",
		"{\n  // The port.\n  // eslint-disable-next-line no-x\n":    "",
		"{\n  // eslint-disable-next-line no-x\n":                    "",
		"{\n  // @ts-ignore\n  // The port of the server.\n":         "The port of the server.",
		"{\n  /* istanbul ignore next */\n":                          "",
		"{\n  // Clients ignore the port of a socket.\n":             "Clients ignore the port of a socket.",
		"{\n  // ### Ports\n  // See [the manual](x) about ports.\n": "See the manual about ports.",
		"{\n  // - `port`: The port.\n  // - `host`: The host.\n":    "The port.",
		"{ // of the object\n":                                       "",
	} {
		if got := source.RemarkIn(between).Of("port"); got != want {
			t.Errorf("%q: got %q, want %q", between, got, want)
		}
	}
}
