// Package buildinfo says which build of the program runs.
package buildinfo

import "runtime/debug"

// Info is the build of the program.
type Info struct {
	Version string // of the module, or "(devel)" for a build of a copy of its source
	Commit  string // that was built, with "+dirty" behind it if files had changed; empty if go build did not know it
}

// Read returns the build of this program.
func Read() Info {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return of(&debug.BuildInfo{})
	}
	return of(info)
}

func of(info *debug.BuildInfo) Info {
	out := Info{Version: info.Main.Version}
	if out.Version == "" {
		out.Version = "(devel)"
	}
	settings := map[string]string{}
	for _, s := range info.Settings {
		settings[s.Key] = s.Value
	}
	out.Commit = settings["vcs.revision"]
	if out.Commit != "" && settings["vcs.modified"] == "true" {
		out.Commit += "+dirty"
	}
	return out
}
