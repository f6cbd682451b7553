package server

import (
	"net"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/causaldocs/causal/app/sandbox"
)

// safe is a server with nothing to warn of.
func safe() Options {
	return Options{StatusToken: "a long enough token", PublicURL: "https://causal.example.com", Workers: 4, Limits: sandbox.Limits{Memory: 1 << 30}}
}

func TestWarnings(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change func(*Options)
		admin  string
		memory int64
		want   []string // prefixes of the lines
	}{
		"nothing":                     {admin: "127.0.0.1:9090", memory: 4 << 30},
		"no admin port":               {memory: 4 << 30},
		"memory that nobody knows":    {admin: "[::1]:9090"},
		"no token":                    {change: func(o *Options) { o.StatusToken = "" }, want: []string{"log-ins are disabled"}},
		"an admin port for all":       {admin: "[::]:9090", want: []string{"the admin port [::]:9090"}},
		"an admin port of a network":  {admin: "10.0.0.1:9090", want: []string{"the admin port 10.0.0.1:9090"}},
		"no encryption":               {change: func(o *Options) { o.PublicURL = "http://causal.example.com" }, want: []string{"http://causal.example.com is not encrypted"}},
		"a name that looks like ours": {change: func(o *Options) { o.PublicURL = "http://127.evil.example" }, want: []string{"http://127.evil.example is not"}},
		"this machine by name":        {change: func(o *Options) { o.PublicURL = "http://localhost:8080" }},
		"this machine by number":      {change: func(o *Options) { o.PublicURL = "http://[::1]:8080" }},
		"a byte too few":              {memory: 4<<30 - 1, want: []string{"4 runs of up to 1024 MB at a time may need 4096 MB, and there are 4095 MB"}},
		"everything, and one line each": {
			change: func(o *Options) { o.StatusToken, o.PublicURL = "", "http://x" }, admin: "0.0.0.0:1", memory: 1 << 20,
			want: []string{"log-ins", "the admin port", "http://x", "4 runs"},
		},
	} {
		o := safe()
		if c.change != nil {
			c.change(&o)
		}
		var admin net.Addr
		if c.admin != "" {
			a, err := net.ResolveTCPAddr("tcp", c.admin)
			if err != nil {
				t.Fatal(err)
			}
			admin = a
		}
		got := warnings(o, admin, c.memory)
		if len(got) != len(c.want) {
			t.Errorf("%s: %q", name, got)
			continue
		}
		for i, w := range got {
			if !strings.HasPrefix(w.what, c.want[i]) || w.mend == "" {
				t.Errorf("%s: %q", name, w)
			}
		}
	}
}

func TestMachineMemory(t *testing.T) {
	t.Parallel()
	const meminfo = "MemFree: 1 kB\nMemTotal:        2048 kB\n"
	for name, c := range map[string]struct {
		files map[string]string
		want  int64
	}{
		"another system":         {nil, 0},
		"no limit":               {map[string]string{"proc/meminfo": meminfo, "sys/fs/cgroup/memory.max": "max\n"}, 2 << 20},
		"a container":            {map[string]string{"proc/meminfo": meminfo, "proc/self/cgroup": "0::/\n", "sys/fs/cgroup/memory.max": "1048576\n"}, 1 << 20},
		"a container, no groups": {map[string]string{"proc/meminfo": meminfo, "sys/fs/cgroup/memory.max": "1048576\n"}, 1 << 20},
		"a service":              {map[string]string{"proc/meminfo": meminfo, "proc/self/cgroup": "1:name=systemd:/x\n0::/system.slice/causal.service\n", "sys/fs/cgroup/system.slice/causal.service/memory.max": "4096\n"}, 4096},
		"a slice of services":    {map[string]string{"proc/meminfo": meminfo, "proc/self/cgroup": "0::/a/b\n", "sys/fs/cgroup/a/memory.max": "8192\n", "sys/fs/cgroup/a/b/memory.max": "max\n"}, 8192},
		"more than there is":     {map[string]string{"proc/meminfo": meminfo, "sys/fs/cgroup/memory.max": "9223372036854771712\n"}, 2 << 20},
		"a path that leads out":  {map[string]string{"proc/meminfo": meminfo, "proc/self/cgroup": "0::/../../x\n"}, 2 << 20},
		"nonsense":               {map[string]string{"proc/meminfo": "MemTotal:\n", "proc/self/cgroup": "x", "sys/fs/cgroup/memory.max": ""}, 0},
	} {
		root := fstest.MapFS{}
		for file, text := range c.files {
			root[file] = &fstest.MapFile{Data: []byte(text)}
		}
		if got := machineMemory(root); got != c.want {
			t.Errorf("%s: %d, want %d", name, got, c.want)
		}
	}
}
