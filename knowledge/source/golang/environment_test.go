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
		"elsewhere declared":    {`os.Getenv(EnvPort); x := y; os.Getenv(x); parse(&c, EnvHost)`, "env $EnvHost <parse |second\nenv $EnvPort\nenv *"},
		"computed":              {`os.Getenv(portVariable + x); os.Getenv(lower(x)); os.Getenv("a" + x)`, "env *\nenv PORT*"},
		"a prefix of the file":  {`os.Getenv(prefix + "TOKEN"); os.Getenv(joined)`, "env SHOP_HOST\nenv SHOP_TOKEN"},
		"a prefix elsewhere":    {`os.Getenv(Elsewhere + "TOKEN")`, "env $Elsewhere+\"TOKEN"},
		"a local":               {`n := prefix + "TOKEN"; os.Getenv(n); m := "A_B"; m = x; os.Getenv(m)`, "env *\nenv SHOP_TOKEN"},
		"required":              {`p := os.Getenv("PORT"); if p == "" { log.Print(1); log.Fatal("PORT is not set") }`, "env PORT $required"},
		"an error":              {`p, ok := os.LookupEnv("PORT"); if !ok { return errors.New("no port") }`, "env PORT $required"},
		"required after others": {`if _, err := f(); err != nil { return err }; h := os.Getenv("HOST"); if h == "" { return errors.New("x") }; if p := os.Getenv("PORT"); p == "" { return errors.New("x") }`, "env HOST $required\nenv PORT $required"},
		"in place of another":   {`if f := os.Getenv("KEY_FILE"); f != "" { b, err := os.ReadFile(f); return string(b), err }; k := os.Getenv("KEY"); if k == "" { return "", errors.New("x") }`, "env KEY\nenv KEY_FILE"},
		"in a case":             {`switch runtime.GOOS { case "windows": h := os.Getenv("HOME"); if h == "" { return errors.New("x") } }`, "env HOME"},
		"under a condition":     {`if c.TLS { k := os.Getenv("KEY"); if k == "" { log.Fatal("x") } }`, "env KEY"},
		"of a command":          {`if c.Help { return }; run(func() error { k := os.Getenv("KEY"); if k == "" { return errors.New("x") }; return nil })`, "env KEY $required"},
		"a computed default":    {`p := os.Getenv("PORT"); if p == "" { p = free() }`, "env PORT $computed"},
		"arithmetic":            {`envInt("TTL", 60*24*8)`, "env TTL <envInt ~11520"},
		"keys of a map":         {`options := map[string]string{"A_URL": "x", "ADDR": ":80"}; for k, v := range options { if e := os.Getenv(k); e != "" { v = e } }`, "env ADDR ~:80\nenv A_URL ~x"},
		"keys of one elsewhere": {`for k := range others { os.Getenv(k) }`, "reads  =*each others"},
		"fields of a table":     {`for _, o := range []struct{ to *string; env string }{{&a, "AB_" + x}, {&b, prefix + "B"}} { *o.to = os.Getenv(o.env) }`, "env AB_*\nenv SHOP_B"},
		"through a loop":        {`for _, k := range []string{"A_B", "A_C"} { getenv(k, "1") }`, "env A_B <getenv ~1\nenv A_C <getenv ~1"},
		"the whole":             {`parse(os.Environ()); cmd.Env = append(os.Environ(), "A=1")`, "reads  =*environ"},
		"a table for the whole": {`return map[string]option{"A_B": {raw: "1", Default: "2", Help: "The b. More"}, "A_C": {}, "DD": {}}`, "env A_B <*environ ~2 ?The b\nenv A_C <*environ\nenv DD <*environ"},
		"no table of variables": {`return map[string]int{"GET": 1, "POST": 2, "PUT": 3}`, ""},
		"viper":                 {`viper.SetEnvPrefix("shop"); viper.SetDefault("port", 80); viper.BindEnv("db.url"); viper.BindEnv("key", "API_KEY")`, "config  =*viper <*\nconfig port <*viper ~80\nenv API_KEY ?overrides the key key\nenv API_KEY <viper.BindEnv |second\nenv SHOP_DB.URL ?overrides the key db.url\nenv port <*keys viper ~80 ?overrides the key port"},
		"through a function":    {`getenv("PORT", "80"); conf.Text("HTTP_PORT"); errors.New("EOF"); getenv("no variable")`, "env HTTP_PORT <conf.Text\nenv PORT <getenv ~80"},
		"a prefix":              {`viper.SetEnvPrefix("shop"); viper.AutomaticEnv()`, "env SHOP_* ?overrides keys of the configuration\nreads SHOP_* =*keys viper"},
		"a loop":                {`for _, k := range []string{"VISUAL", "EDITOR"} { os.Getenv(k) }; keys := list(); for _, k := range keys { os.Getenv(k) }`, "env *\nenv EDITOR\nenv VISUAL"},
		"proxies":               {`t.Proxy = http.ProxyFromEnvironment`, "env HTTPS_PROXY ?read by net/http\nenv HTTP_PROXY ?read by net/http\nenv NO_PROXY ?read by net/http"},
		"a prefix of all":       {`k.Load(env.Provider("SHOP_", ".", nil), nil)`, "env SHOP_ <env.Provider ~.\nenv SHOP_* ?overrides keys of the configuration"},
		"a prefix of flags":     {`viper.SetEnvPrefix("shop"); viper.BindPFlags(cmd.Flags()); viper.AutomaticEnv()`, "env SHOP_* ?overrides flags and keys of the configuration\nreads SHOP_* =*keys viper"},
		"letters of a word":     {`syncTokenValid(lower(x)); parseNVMe(d.Name())`, ""},
		"no prefix":             {`viper.AutomaticEnv()`, "reads * =*keys viper"},
		"keys":                  {`v := viper.New(); v.GetString("a-b"); cmd.Flags().GetString("c"); make().GetInt("d"); run(func(v *viper.Viper) { v.IsSet("e") })`, "env a-b <*keys viper ?overrides the key a-b\nenv e <*keys viper ?overrides the key e"},
		"keys with a value":     {`viper.Set("a", 1); viper.GetInt("a"); if x { viper.Set("b", 1) }; viper.GetInt("b")`, "env b <*keys viper ?overrides the key b"},
		"keys of a result":      {`v, err := load(); v.GetBool("a")`, "env a <*keys viper ?overrides the key a"},
		"replaced":              {`viper.SetEnvKeyReplacer(strings.NewReplacer(".", "_")); viper.AutomaticEnv(); viper.BindEnv("a.b")`, "env * <viper.SetEnvKeyReplacer\nenv A_B ?overrides the key a.b\nreads * =*keys viper :. _"},
		"replaced by words":     {`viper.SetEnvKeyReplacer(strings.NewReplacer(words()...)); viper.AutomaticEnv()`, "env * <viper.SetEnvKeyReplacer\nreads * =*keys viper :snake"},
		"replaced unknown":      {`viper.SetEnvKeyReplacer(strings.NewReplacer(all()...)); viper.AutomaticEnv(); viper.BindEnv("a")`, "env * <viper.SetEnvKeyReplacer"},
		"tags": {`type c struct { Port int ` + "`env:\"PORT\" envDefault:\"80\"`" + `
			DB struct { Host string ` + "`env:\"HOST, default=db\"`" + ` } ` + "`envPrefix:\"DB_\"`" + `
			Old string ` + "`envconfig:\"OLD\" default:\"x\"`" + `
			Key string ` + "`env:\"KEY,required\"`" + `; Name string ` + "`envconfig:\"NAME\" required:\"true\"`" + `; Clean string ` + "`env:\"CLEAN\" env-default:\"1\"`" + ` }`,
			"env CLEAN ~1\nenv DB_HOST ~db\nenv KEY $required\nenv NAME $required\nenv OLD ~x\nenv PORT ~80"},
		"a default with commas": {`type c struct { A []string ` + "`env:\"A_A,default=10.0.0.0/8, 172.16.0.0/12,fc00::/7\"`" + `; B int ` + "`env:\"B_B,default=1,required\"`" + `; C int ` + "`env:\"C_C,default=2,strict\"`" + ` }`,
			"env A_A ~10.0.0.0/8, 172.16.0.0/12,fc00::/7\nenv B_B ~1 $required\nenv C_C ~2"},
		"titles of groups": {`type c struct {
	A int ` + "`env:\"A_A\"`" + `

	// Only for servers
	B int ` + "`env:\"B_B\"`" + `
	C int ` + "`env:\"C_C\"`" + `
	D int ` + "`env:\"D_D\"`" + `

	// Limit of F
	E int ` + "`env:\"E_E\"`" + `
	F int ` + "`env:\"F_F\"`" + `

	// The port to listen on
	Port int ` + "`env:\"G_G\"`" + `
	H int ` + "`env:\"H_H\"`" + `
	I int ` + "`env:\"I_I\"`" + ` // Of these
	// How many
	J int ` + "`env:\"J_J\"`" + `
	K int ` + "`env:\"K_K\"`" + `
	L int ` + "`env:\"L_L\"`" + `

	// How long to wait.
	M int ` + "`env:\"M_M\"`" + `
	N int ` + "`env:\"N_N\"`" + `
	O int ` + "`env:\"O_O\"`" + ` }`,
			"env A_A\nenv B_B\nenv C_C\nenv D_D\nenv E_E ?Limit of F\nenv F_F\nenv G_G ?The port to listen on\nenv H_H\nenv I_I ?Of these\nenv J_J ?How many\nenv K_K\nenv L_L\nenv M_M ?How long to wait\nenv N_N\nenv O_O"},
		"a prefix of tags": {`c := tagged{}; env.Parse(&c, env.Options{Prefix: "SHOP_"})`, "env * <env.Parse\nenv PORT\nenv SHOP_DB_HOST\nenv SHOP_KEY"},
		"a prefix of a lookuper": {`var c tagged; l := env.Multi(env.Map(nil), env.PrefixLookuper("SHOP_", env.Os())); env.ProcessWith(ctx, &env.Config{Target: &c, Lookuper: l})`,
			"env $ctx <env.ProcessWith\nenv $nil <env.Map\nenv * <env.Multi $computed\nenv PORT\nenv SHOP_ <env.PrefixLookuper $computed\nenv SHOP_DB_HOST\nenv SHOP_KEY"},
		"a prefix of generic":    {`o := env.Options{Prefix: "SHOP_"}; c, err := env.ParseAsWithOptions[tagged](o)`, "env PORT\nenv SHOP_DB_HOST\nenv SHOP_KEY"},
		"a prefix of other tags": {`env.Parse(&c, other.Options{Prefix: "SHOP_"})`, "env * <env.Parse\nenv DB_HOST\nenv KEY\nenv PORT"},
		"a conversion":           {`getenv("A_PORT", string(portVariable))`, "env A_PORT <getenv ~PORT"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			src := "package p\nimport (\"os\"; \"example.com/conf\"; \"errors\"; \"cmp\"; \"github.com/spf13/viper\"; \"github.com/knadh/koanf/providers/env\")\nconst portVariable = \"PORT\"\n" +
				"const prefix = \"SHOP_\"\nconst joined = prefix + \"HOST\"\ntype option struct { raw, Default, Help string }\nfunc load() (*viper.Viper, error) { return nil, nil }\nfunc words() []string { return []string{lo.SnakeCase(x)} }\n" + "func f() string { " + c.body + " }\n"
			if strings.Contains(c.want, "DB_HOST\n") {
				src += "type database struct { Host string `env:\"HOST\"` }\ntype apart struct { Port string `env:\"PORT\"` }\n" +
					"type tagged struct { Key string `env:\"KEY\"`; DB database `envPrefix:\"DB_\"` }\n"
			}
			if got := strings.TrimSpace(said(extract(t, "p.go", src))); got != c.want {
				t.Errorf("%s\ngot:\n%s\nwant:\n%s", c.body, got, c.want)
			}
		})
	}
}

func TestKeysInConstants(t *testing.T) {
	t.Parallel()
	src := `package config
import "github.com/spf13/viper"
type Key string
type other string
const (
	Secret Key = "service.secret"
	Port   Key = "service.port"
	Name other = "name"
	free = "free"
)
func (k Key) GetString() string { return viper.GetString(string(k)) }
func (k Key) setDefault(i any) { viper.SetDefault(string(k), i) }
func (o other) Text() string { return string(o) }
func load() { Port.setDefault(80); Name.setDefault(1) }
`
	want := `config  =*viper <*
config service.port <*viper ~80
config service.secret <*viper
env service.port <*keys viper ~80 ?overrides the key service.port
env service.secret <*keys viper ?overrides the key service.secret`
	if got := strings.TrimSpace(said(extract(t, "p.go", src))); sorted(got) != sorted(want) {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
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
	want := `env *
reads  =Config.get
reads  =getenv :fallback
reads  =local ~none
reads  =second |second
reads  =envInt <getenv :fallback`
	if got := strings.TrimSpace(said(extract(t, "p.go", src))); got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
}
