package cli_test

import (
	"context"
	"errors"
	"net"
	"net/http"
	"regexp"
	"testing"

	"github.com/causaldocs/causal/app/cli"
)

// outgoing are the commands that connect to GitHub or serve by their purpose.
var outgoing = map[string]string{
	"action": "runs in a workflow", "demo": "serves a simulated GitHub on this machine", "mcp": "serves standard input", "serve": "is the GitHub App",
	"completion": "prints a script of cobra", "help": "prints text",
}

// private are the other commands, in an order in which each has something to do.
var private = []struct {
	name string
	args [][]string
}{
	{"version", [][]string{{}}},
	{"init", [][]string{{"--skills"}}},
	{"config", [][]string{{"verify"}, {"schema"}}},
	{"update", [][]string{{}, {"--dry-run"}, {"--json"}}},
	{"check", [][]string{{}}},
	{"why", [][]string{{"money.Parse"}}},
	{"ask", [][]string{{"How are amounts read?"}, {"--branches"}}},
	{"trace", [][]string{{}}},
	{"skills", [][]string{{"list"}, {"check"}, {"capabilities"}, {"schema"}, {"run", "onboarding"}}},
	{"record", [][]string{{"proposition", "Store amounts in cents"}, {"--reverts"}, {"--propose", "README.md"}}},
	{"decisions", [][]string{{}}},
	{"log", [][]string{{}}},
	{"verify", [][]string{{}}},
	{"memory", [][]string{{"add", "A bug report named a crash"}, {"add", "--judge", "The crash was fixed"}, {"query", "crash"}, {"export", "--jsonl", "-"}}},
	{"hooks", [][]string{{"install"}, {"uninstall"}}},
	{"review", [][]string{{"--base", "HEAD"}}},
	{"testgen", [][]string{{"--verify", "money.Parse"}}},
	{"doctor", [][]string{{}, {"--model"}}},
	{"uninstall", [][]string{{"--yes"}}},
}

// TestNothingLeaves: without a model no command connects to anything, neither itself nor by a program that it runs.
func TestNothingLeaves(t *testing.T) {
	var connections []string
	transport := http.DefaultTransport.(*http.Transport)
	was := transport.DialContext
	transport.DialContext = func(_ context.Context, _, address string) (net.Conn, error) {
		connections = append(connections, address)
		return nil, errors.New("no connection")
	}
	t.Cleanup(func() { transport.DialContext = was })
	proxy, err := net.Listen("tcp", "127.0.0.1:0") // of the programs that causal runs
	if err != nil {
		t.Fatal(err)
	}
	proxied := make(chan int)
	go func() {
		n := 0
		for {
			c, err := proxy.Accept()
			if err != nil {
				proxied <- n
				return
			}
			n++
			_ = c.Close()
		}
	}()
	for _, name := range []string{"HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"} {
		t.Setenv(name, "http://"+proxy.Addr().String())
	}
	// Settings without CAUSAL_MODEL have no effect.
	t.Setenv("CAUSAL_MODEL_URL", "http://192.0.2.1/v1")
	t.Setenv("CAUSAL_EMBEDDINGS_URL", "http://192.0.2.1/v1")
	t.Setenv("ANTHROPIC_API_KEY", "k")
	r := newShop(t)
	covered := map[string]bool{}
	for _, command := range private {
		covered[command.name] = true
		for _, args := range command.args {
			if got := r.run(append([]string{command.name}, args...)...); got.code == cli.ExitFailure {
				t.Errorf("%s", got)
			}
		}
	}
	for _, m := range regexp.MustCompile(`(?m)^  (\w+)  `).FindAllStringSubmatch(r.causal(cli.ExitClean, "--help").out, -1) {
		if _, ok := outgoing[m[1]]; !ok && !covered[m[1]] {
			t.Errorf("this test does not run causal %s", m[1])
		}
	}
	_ = proxy.Close()
	if n := <-proxied; n > 0 || len(connections) > 0 {
		t.Errorf("%d connections of programs, and %v", n, connections)
	}
}
