package server

import (
	"bufio"
	"context"
	"fmt"
	"io/fs"
	"net"
	"net/url"
	"path"
	"strconv"
	"strings"

	"github.com/causaldocs/causal/app/web"
)

// warning is a problem of a working configuration, with a fix.
type warning struct{ what, mend string }

// Workers is the default number of concurrent runs.
const Workers = 4

// warnings lists insecure or oversized options. memory is the machine's, 0 if unknown; admin is nil without an admin
// port.
func warnings(o Options, admin net.Addr, memory int64) []warning {
	var out []warning
	if o.StatusToken == "" {
		out = append(out, warning{
			"log-ins are disabled: the status page shows only counts",
			"set " + TokenSetting + " to 16 characters or more, such as the output of `openssl rand -hex 24`",
		})
	}
	if admin != nil && !web.OnlyHere(&url.URL{Host: admin.String()}) {
		out = append(out, warning{
			fmt.Sprintf("the admin port %s has no password, and is open to other machines", admin),
			"set --admin to a local address, such as 127.0.0.1:9090, or restrict access to the port",
		})
	}
	if u, err := url.Parse(o.PublicURL); err == nil && u.Scheme == "http" && !web.OnlyHere(u) {
		out = append(out, warning{
			fmt.Sprintf("%s is not encrypted: the set-up link, log-ins and deliveries can be intercepted", o.PublicURL),
			"put an https proxy in front, and set --public-url to its address",
		})
	}
	if needed := int64(o.Workers) * o.Limits.Memory; memory > 0 && needed > memory {
		out = append(out, warning{
			fmt.Sprintf("%d runs of up to %d MB at a time may need %d MB, and there are %d MB", o.Workers, o.Limits.Memory>>20, needed>>20, memory>>20),
			"lower --workers or --run-memory until their product fits in the memory",
		})
	}
	return out
}

func (s *Server) warn(ctx context.Context, memory int64) {
	var admin net.Addr
	if s.admin != nil {
		admin = s.admin.Addr()
	}
	for _, w := range warnings(s.o, admin, memory) {
		s.log.WarnContext(ctx, w.what, "mend", w.mend)
	}
}

// machineMemory returns the memory limit of this process in bytes, on Linux: that of the machine, or of a container or
// service if lower. It is 0 if unknown.
func machineMemory(root fs.FS) int64 {
	least := int64(0)
	lower := func(n int64, ok bool) {
		if ok && n > 0 && (least == 0 || n < least) {
			least = n
		}
	}
	if kB, ok := numberAfter(root, "proc/meminfo", "MemTotal:"); ok {
		lower(kB<<10, true)
	}
	group := "/"
	if text, err := fs.ReadFile(root, "proc/self/cgroup"); err == nil {
		for line := range strings.Lines(string(text)) {
			if name, unified := strings.CutPrefix(strings.TrimSpace(line), "0::"); unified {
				group = path.Clean("/" + name)
			}
		}
	}
	for ; ; group = path.Dir(group) { // a limit applies to all groups below it
		lower(numberAfter(root, path.Join("sys/fs/cgroup", group, "memory.max"), ""))
		if group == "/" {
			return least
		}
	}
}

// numberAfter returns the number after a word at the start of a line.
func numberAfter(root fs.FS, file, word string) (int64, bool) {
	f, err := root.Open(file)
	if err != nil {
		return 0, false
	}
	defer func() { _ = f.Close() }()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		if rest, found := strings.CutPrefix(lines.Text(), word); found {
			fields := strings.Fields(rest)
			if len(fields) == 0 {
				return 0, false
			}
			n, err := strconv.ParseInt(fields[0], 10, 64)
			return n, err == nil
		}
	}
	return 0, false
}
