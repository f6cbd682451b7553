package buildinfo

import (
	"runtime/debug"
	"testing"
)

func TestOf(t *testing.T) {
	t.Parallel()
	built := func(version string, settings ...string) *debug.BuildInfo {
		info := &debug.BuildInfo{Main: debug.Module{Version: version}}
		for i := 0; i < len(settings); i += 2 {
			info.Settings = append(info.Settings, debug.BuildSetting{Key: settings[i], Value: settings[i+1]})
		}
		return info
	}
	for want, info := range map[Info]*debug.BuildInfo{
		{"v1.2.3", ""}:             built("v1.2.3"),
		{"(devel)", ""}:            built(""),
		{"(devel)", "c0ffee"}:      built("(devel)", "vcs.revision", "c0ffee", "vcs.modified", "false"),
		{"v1.2.3", "c0ffee+dirty"}: built("v1.2.3", "vcs.revision", "c0ffee", "vcs.modified", "true"),
	} {
		if got := of(info); got != want {
			t.Errorf("%+v, want %+v", got, want)
		}
	}
}
