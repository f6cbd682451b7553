package cli_test

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/causaldocs/causal/app/cli"
	"github.com/causaldocs/causal/knowledge/testmode"
)

// TestLargeLog checks that a log that is too large is refused. The long run also checks that the memory for a log of a million results is
// proportional to the stored part; review/sarif tests that this part is bounded.
func TestLargeLog(t *testing.T) {
	t.Parallel()
	r := newShop(t)
	r.write("money/money.go", strings.Replace(r.read("money/money.go"), "package money\n", "package money\n\n// Limit is one.\nconst Limit = 1\n", 1))
	log := filepath.Join(t.TempDir(), "large.sarif")
	write := func(results int, end string) {
		t.Helper()
		f, err := os.Create(log)
		if err != nil {
			t.Fatal(err)
		}
		w := bufio.NewWriterSize(f, 1<<20)
		fmt.Fprint(w, `{"version":"2.1.0","runs":[{"tool":{"driver":{"name":"lint"}},"results":[`)
		for i := range results {
			fmt.Fprintf(w, `{"ruleId":"r%d","locations":[{"physicalLocation":{"artifactLocation":{"uri":"money/money.go"},"region":{"startLine":%d}}}]},`, i%50, i+1)
		}
		fmt.Fprint(w, `{"ruleId":"last"}]}]}`+end)
		if err := w.Flush(); err != nil {
			t.Fatal(err)
		}
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
	}
	review := func() (code int, out string, peak int64) {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), "causal", "review", "--vet=false", "--sarif", log)
		cmd.Dir, cmd.Env = r.dir, append(os.Environ(), "GOGC=25") // less garbage, so memory is live data
		said, err := cmd.CombinedOutput()
		if err != nil && cmd.ProcessState == nil {
			t.Fatal(err)
		}
		return cmd.ProcessState.ExitCode(), string(said), cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss << 10
	}
	write(1000, strings.Repeat(" ", 130<<20))
	if code, out, _ := review(); code != cli.ExitUsage || !strings.Contains(out, "large.sarif:1: ") || !strings.Contains(out, "is larger than") {
		t.Errorf("exit code %d:\n%.3000s", code, out)
	}
	if !testmode.Long() {
		return
	}
	write(150_000, "") // with fewer, the collector does not yet hold the memory down
	_, _, low := review()
	write(1_000_000, "")
	info, err := os.Stat(log)
	if err != nil {
		t.Fatal(err)
	}
	code, out, peak := review()
	t.Logf("%d MB of memory, and %d MB for a shorter log", peak>>20, low>>20)
	if peak > low*5/4 {
		t.Errorf("a log of %d MB takes %d MB of memory, a shorter one %d MB", info.Size()>>20, peak>>20, low>>20)
	}
	if code != cli.ExitFindings || !strings.Contains(out, "  lint/r") {
		t.Errorf("exit code %d:\n%.3000s", code, out)
	}
}
