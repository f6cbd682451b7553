package govet

// inherited are the variables that locate Go, its caches and its modules. Others are dropped, since some name programs
// to run.
var inherited = []string{
	"PATH", "HOME", "USERPROFILE", "LOCALAPPDATA", "SYSTEMROOT", "TMPDIR", "TEMP", "TMP", "XDG_CACHE_HOME", "XDG_CONFIG_HOME",
	"GOROOT", "GOPATH", "GOMODCACHE", "GOCACHE", "GOENV", "GOWORK",
}

// fixed settings keep the go command from running or downloading anything. The module mode stays Go's choice between
// go.mod and vendoring: neither changes a file. A go.mod that needs a newer Go is rejected.
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
