package govet

// inherited are the variables that say where Go, its caches and its modules are. All others stay outside: some name programs that
// would run.
var inherited = []string{
	"PATH", "HOME", "USERPROFILE", "LOCALAPPDATA", "SYSTEMROOT", "TMPDIR", "TEMP", "TMP", "XDG_CACHE_HOME", "XDG_CONFIG_HOME",
	"GOROOT", "GOPATH", "GOMODCACHE", "GOCACHE", "GOENV", "GOWORK",
}

// fixed keep the go command from running or downloading anything. How modules are found stays Go's own choice, between what go.mod
// says and a directory of vendored ones: neither changes a file. A go.mod that asks for a newer Go is refused.
var fixed = []string{
	"CGO_ENABLED=0", "GOTOOLCHAIN=local", "GOFLAGS=-buildvcs=false", "GOPROXY=off", "GONOPROXY=none", "GOVCS=*:off", "GOSUMDB=off",
	"GOPACKAGESDRIVER=off", "LC_ALL=C",
}

func environment(getenv func(string) string) []string {
	var env []string
	for _, name := range inherited {
		if value := getenv(name); value != "" {
			env = append(env, name+"="+value)
		}
	}
	return append(env, fixed...)
}
