package cli_test

import (
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"
)

// BenchmarkHooksRun measures the processor time of a hook in addition to the start of the program, in milliseconds. Processes of each kind
// alternate. CAUSAL_BINARY is the program.
func BenchmarkHooksRun(b *testing.B) {
	program := os.Getenv("CAUSAL_BINARY")
	if program == "" {
		b.Skip("CAUSAL_BINARY does not name the program")
	}
	r := newShop(b)
	event := func(name, more string) string {
		return fmt.Sprintf(`{"session_id":"bench","cwd":%q,"hook_event_name":%q%s}`, r.dir, name, more)
	}
	start := func(in string, args ...string) time.Duration {
		cmd := exec.CommandContext(b.Context(), program, args...)
		cmd.Dir, cmd.Stdin = r.dir, strings.NewReader(in)
		if out, err := cmd.CombinedOutput(); err != nil {
			b.Fatalf("%v: %s", err, out)
		}
		return cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	}
	for _, kind := range []struct{ name, in string }{
		{"SessionStart", event("SessionStart", `,"source":"startup"`)},
		{"UserPromptSubmit", event("UserPromptSubmit", `,"prompt":"add up the cart"`)},
		{"Read", event("PostToolUse", `,"tool_name":"Read","tool_input":{"file_path":"cart/cart.go"},"tool_response":"`+strings.Repeat(`package cart\n`, 1000)+`"`)},
		{"Bash", event("PostToolUse", `,"tool_name":"Bash","tool_input":{"command":"TOKEN=x make"},"tool_response":{"stdout":"`+strings.Repeat(`API_KEY=abc\n`, 1000)+`"}`)},
		{"Stop", event("Stop", `,"last_assistant_message":"it adds up"`)},
	} {
		b.Run(kind.name, func(b *testing.B) {
			var with, without []time.Duration
			for b.Loop() {
				without = append(without, start("", "--version"))
				with = append(with, start(kind.in, "hooks", "run"))
			}
			slices.Sort(with)
			slices.Sort(without)
			for name, share := range map[string]float64{"p50-ms": 0.5, "p99-ms": 0.99} {
				at := int(share * float64(len(with)-1))
				b.ReportMetric(float64((with[at]-without[at]).Microseconds())/1000, name)
			}
			b.ReportMetric(float64(without[len(without)/2].Microseconds())/1000, "start-ms")
		})
	}
}
