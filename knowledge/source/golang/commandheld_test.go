package golang_test

import "testing"

func TestDefaultsThatAreDeclared(t *testing.T) {
	t.Parallel()
	const head = "package cmd\nimport (\"github.com/spf13/pflag\"; \"example.com/x/conf\")\n"
	for name, c := range map[string]struct{ src, want string }{
		"what the file says": {`var own = newOptions()
func newOptions() *Options { return &Options{Port: 80, Name: "a", Computed: f()} }
func add(fs *pflag.FlagSet) {
	local := Options{Port: 90}
	fs.IntVar(&own.Port, "port", own.Port, "")
	fs.StringVar(&own.Name, "name", own.Name, "")
	fs.StringVar(&own.Computed, "computed", own.Computed, "")
	fs.IntVar(&local.Port, "local", local.Port, "")
}
`, `flag --computed <add() :string
flag --local <add() :int ~90
flag --name <add() :string ~a
flag --port <add() :int ~80
`},
		"what may have changed by then": {`var own = Options{Port: 80}
func add(fs *pflag.FlagSet) {
	a, b, c := Options{Port: 1}, Options{Port: 2}, Options{Port: 3}
	a.Port = other()
	b.Complete()
	fill(&c)
	own = read()
	fs.IntVar(&a.Port, "a", a.Port, "")
	fs.IntVar(&b.Port, "b", b.Port, "")
	fs.IntVar(&c.Port, "c", c.Port, "")
	fs.IntVar(&own.Port, "own", own.Port, "")
}
`, `flag --a <add() :int
flag --b <add() :int
flag --c <add() :int
flag --own <add() :int
`},
		"what is declared elsewhere": {`func add(fs *pflag.FlagSet, given string) {
	fs.String("a", defaultAddr, "")
	fs.String("b", conf.DefaultAddr, "")
	fs.String("c", conf.Settings.Addr, "")
	fs.String("d", given, "")
	fs.Bool("e", false, "")
}
`, `flag --a <add() :string $defaultAddr
flag --b <add() :string $conf.DefaultAddr
flag --c <add() :string $conf.Settings.Addr
flag --d <add() :string
flag --e <add()
`},
		"what is declared for others": {`const DefaultAddr, limit = ":80", 5
const defaultWait = 2 * time.Minute
const DefaultKind = other.Kind
var DefaultName = "a"
var ServerSettings = newSettings()
var words = Options{Name: "a"}
var ClientConfig, ProxyConfig = Settings{Addr: ":1"}, Settings{Addr: ":2"}
func init() { ClientConfig.Addr = other(); ProxyConfig = read() }
func newSettings() Settings { return Settings{Addr: ":80", Fast: true, Slow: false, Size: size()} }
`, `holds  =DefaultAddr ~:80
holds  =ServerSettings.Addr ~:80
holds  =ServerSettings.Fast ~true
holds  =defaultWait ~2m0s
`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := said(extract(t, "cmd/flags.go", head+c.src)); got != c.want {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
		})
	}
}
