package rust

import (
	"context"
	"testing"

	"github.com/causaldocs/causal/knowledge/source"
)

func TestDefaultsOfTheEnvironment(t *testing.T) {
	t.Parallel()
	for expression, want := range map[string][3]string{
		`env::var("X").unwrap_or_else(|_| "d".to_string())`:                         {"X", "d"},
		`std::env::var("X").ok().unwrap_or(String::from("d"))`:                      {"X", "d"},
		`option_env!("X").unwrap_or("d")`:                                           {"X", "d"},
		`env::var("X").unwrap_or_else(|_| other("d"))`:                              {"X", "", source.Computed},
		`env::var("X").unwrap_or_default()`:                                         {"X"},
		`env::var("X").expect("no X")`:                                              {"X", "", source.Required},
		`env::var(KEY).unwrap()`:                                                    {"$KEY", "", source.Required},
		`env::var(format!("{p}_X"))`:                                                {"*"},
		`config::Environment::with_prefix("shop").separator("__")`:                  {"SHOP_*"},
		`Figment::new().merge(Env::prefixed("SHOP_"))`:                              {"SHOP_*"},
		`env::var("X").map(|v| v.trim().into()).unwrap_or("d")`:                     {"X", "d"},
		`shop(); use std::env::{self, var}; let y = var("X").unwrap_or("d".into())`: {"X", "d"},
	} {
		f := Language{}.Extract(context.Background(), "src/a.rs", []byte("fn f() { let x = "+expression+"; }"))
		if len(f.Facts) != 1 || f.Facts[0].Kind != source.Env || f.Facts[0].Name != want[0] || f.Facts[0].Default != want[1] || f.Facts[0].Usage != want[2] {
			t.Errorf("%s: got %+v, want %q", expression, f.Facts, want)
		}
	}
}
