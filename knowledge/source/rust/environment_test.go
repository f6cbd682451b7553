package rust

import (
	"context"
	"fmt"
	"slices"
	"strings"
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
		f.Facts = slices.DeleteFunc(f.Facts, func(x source.Fact) bool { return x.Kind == source.Config }) // the file reads one
		if len(f.Facts) != 1 || f.Facts[0].Kind != source.Env || f.Facts[0].Name != want[0] || f.Facts[0].Default != want[1] || f.Facts[0].Usage != want[2] {
			t.Errorf("%s: got %+v, want %q", expression, f.Facts, want)
		}
		if built := strings.HasPrefix(expression, "option_env!"); len(f.Facts) == 1 && (f.Facts[0].Guard == source.AtBuild) != built {
			t.Errorf("%s: guard %q", expression, f.Facts[0].Guard)
		}
	}
}

// TestVariablesThatMacrosRead: macros of the file make the names of variables of their arguments.
func TestVariablesThatMacrosRead(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ text, want string }{
		"a table": {`macro_rules! settings {
    ( @read $n:expr, bool ) => { get_env_bool($n) };
    ( @read $n:expr, $t:ident ) => { get_env($n) };
    ( $( $group:ident { $( $(#[doc = $d:literal])+ $name:ident: $ty:ident $(, $default:expr)?; )+ }, )+ ) => {
        pub fn from_env() -> B { let mut b = B::default(); $($( b.$name = settings! { @read paste::paste!(stringify!([<$name:upper>])), $ty }; )+)+ b }
    };
}
settings! {
    folders {
        /// Where data is. More.
        data_folder: String, "data".to_string();
        /// Whether it logs
        log_all: bool;
    },
}
fn get_env(k: &str) -> Option<String> { std::env::var(k).ok() }`, "DATA_FOLDER get_env 11 Where data is; LOG_ALL get_env_bool 13 Whether it logs"},
		"a call":        {"use std::env;\nmacro_rules! setting { ($f:ident, $n:literal) => { pub fn $f() -> String { env::var($n).unwrap() } } }\nsetting!(port, \"SHOP_PORT\");", "SHOP_PORT  3 "},
		"another macro": {"use std::env;\nmacro_rules! setting { ($f:ident) => { pub fn $f() -> u8 { 0 } } }\nsetting!(shop_env);", ""},
		"itself":        {"use std::env;\nmacro_rules! env_of { ($n:literal) => { env_of!($n); } }\nenv_of!(\"SHOP_PORT\");", ""},
	} {
		var got []string
		for _, x := range (Language{}).Extract(context.Background(), "src/a.rs", []byte(c.text)).Facts {
			if x.Kind == source.Env {
				got = append(got, fmt.Sprintf("%s %s %d %s", x.Name, x.Of, x.Line, x.Help))
			}
		}
		if strings.Join(got, "; ") != c.want {
			t.Errorf("%s:\n got %s\nwant %s", name, strings.Join(got, "; "), c.want)
		}
	}
}
