package rust

import (
	"context"
	"testing"

	"github.com/causaldocs/causal/knowledge/source"
)

func TestDefaultsOfTheEnvironment(t *testing.T) {
	t.Parallel()
	for expression, want := range map[string]string{
		`env::var("X").unwrap_or_else(|_| "d".to_string())`:     "d",
		`std::env::var("X").ok().unwrap_or(String::from("d"))`:  "d",
		`option_env!("X").unwrap_or("d")`:                       "d",
		`env::var("X").unwrap_or_else(|_| other("d"))`:          "",
		`env::var("X").unwrap_or_default()`:                     "",
		`env::var("X").map(|v| v.trim().into()).unwrap_or("d")`: "d",
	} {
		f := Language{}.Extract(context.Background(), "src/a.rs", []byte("fn f() { let x = "+expression+"; }"))
		if len(f.Facts) != 1 || f.Facts[0].Kind != source.Env || f.Facts[0].Name != "X" || f.Facts[0].Default != want {
			t.Errorf("%s: got %+v, want a default of %q", expression, f.Facts, want)
		}
	}
}
