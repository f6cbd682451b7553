package golang_test

import (
	"strings"
	"testing"
)

func TestEnvironment(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ body, want string }{
		"a default behind":      {`p := os.Getenv("PORT"); if p == "" { p = "80" }`, "env PORT ~80"},
		"another one behind":    {`p := os.Getenv("PORT"); if q == "" { p = "80" }`, "env PORT"},
		"a default of a field":  {`c.Port = os.Getenv("PORT"); if c.Port == "" { c.Port = "80" }`, "env PORT ~80"},
		"not there":             {`p, ok := os.LookupEnv("PORT"); if !ok { p = "80" }`, "env PORT ~80"},
		"return":                {`if p := os.Getenv("PORT"); p != "" { return p }; return "80"`, "env PORT ~80"},
		"return of else":        {`if p, ok := os.LookupEnv("PORT"); ok { return p } else { return "80" }`, "env PORT ~80"},
		"another return":        {`if p := os.Getenv("PORT"); p != "" { return q }; return "80"`, "env PORT"},
		"return what there is":  {`p := os.Getenv("PORT"); if p == "" { return "80" }; return p`, "env PORT ~80"},
		"return something else": {`p := os.Getenv("PORT"); if p == "" { return "80" }; return q`, "env PORT"},
		"a default before":      {`p := "80"; if v := os.Getenv("PORT"); v != "" { p = v }`, "env PORT ~80"},
		"the first of many":     {`p := cmp.Or(os.Getenv("PORT"), os.Getenv("HTTP_PORT"), "80")`, "env HTTP_PORT ~80\nenv PORT ~80"},
		"a constant":            {`os.Getenv(portVariable)`, "env PORT"},
		"elsewhere declared":    {`os.Getenv(EnvPort); x := y; os.Getenv(x); parse(&c, EnvHost)`, "env $EnvHost <parse |second\nenv $EnvPort"},
		"computed":              {`os.Getenv(portVariable + x)`, ""},
		"through a function":    {`getenv("PORT", "80"); conf.Text("HTTP_PORT"); errors.New("EOF"); getenv("no variable")`, "env HTTP_PORT <conf.Text\nenv PORT <getenv ~80"},
		"a prefix":              {`viper.SetEnvPrefix("shop"); viper.AutomaticEnv()`, "env SHOP_* ?overrides keys of the configuration"},
		"a loop":                {`for _, k := range []string{"VISUAL", "EDITOR"} { os.Getenv(k) }; for _, k := range keys { os.Getenv(k) }`, "env EDITOR\nenv VISUAL"},
		"no prefix":             {`viper.AutomaticEnv()`, ""},
		"tags": {`type c struct { Port int ` + "`env:\"PORT\" envDefault:\"80\"`" + `
			DB struct { Host string ` + "`env:\"HOST, default=db\"`" + ` } ` + "`envPrefix:\"DB_\"`" + `
			Old string ` + "`envconfig:\"OLD\" default:\"x\"`" + ` }`, "env DB_HOST ~db\nenv OLD ~x\nenv PORT ~80"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			src := "package p\nimport (\"os\"; \"example.com/conf\"; \"errors\"; \"cmp\")\nconst portVariable = \"PORT\"\nfunc f() string { " + c.body + " }\n"
			if got := strings.TrimSpace(said(extract(t, "p.go", src))); got != c.want {
				t.Errorf("%s\ngot:\n%s\nwant:\n%s", c.body, got, c.want)
			}
		})
	}
}

func TestEnvironmentThroughParameters(t *testing.T) {
	t.Parallel()
	src := "package p\nfunc load(getenv func(string) string, other func(string) string) { if v := getenv(\"PORT\"); v != \"\" { x = v }; other(\"HOST\") }\n"
	if got, want := strings.TrimSpace(said(extract(t, "p.go", src))), "env PORT"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestFunctionsThatReadTheEnvironment(t *testing.T) {
	t.Parallel()
	src := `package p
import "os"
func getenv(key, other string) string { if v := os.Getenv(key); v != "" { return v }; return other }
func envInt(key string, other int) int { n, err := strconv.Atoi(getenv(key, "")); if err != nil { return other }; return n }
func local(key string) string { v := os.Getenv(key); if v == "" { v = "none" }; return v }
func (c *Config) get(key string) string { return os.Getenv(key) }
func none(key, other string) string { return os.Getenv("X" + key) + other }
func second(x int, key string) string { return os.Getenv(key) }
`
	want := `reads  =Config.get
reads  =getenv :fallback
reads  =local ~none
reads  =second |second
reads  =envInt <getenv :fallback`
	if got := strings.TrimSpace(said(extract(t, "p.go", src))); got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
}
