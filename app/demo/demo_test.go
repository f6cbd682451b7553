package demo_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/causaldocs/causal/app/demo"
	_ "github.com/causaldocs/causal/app/githubsim/openapi/contract" // every request is held to GitHub's description
)

func TestDemonstration(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	dir := t.TempDir()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	if err := demo.Run(t.Context(), demo.Options{Dir: dir, Self: self, Out: &out, Now: time.Now}); err != nil {
		t.Fatalf("%v\n%s", err, out.String())
	}
	for _, want := range []string{
		"new",
		"money/money.go: changed (Parse)",
		"The App comments on #1:",
		"-type Amount int64",
		"money/money.go: changed (Amount)",
		"To look at",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("it does not say %q:\n%s", want, out.String())
		}
	}
	page, err := os.ReadFile(filepath.Join(dir, "shop", "docs", "causal", "modules", "money.md"))
	if err != nil || !strings.Contains(string(page), "type Amount uint64") {
		t.Errorf("the page of money is not as it should be: %v\n%s", err, page)
	}
	tried := regexp.MustCompile(`(?m)^  (cd .* why .*)$`).FindStringSubmatch(out.String())
	if tried == nil {
		t.Fatalf("it does not say what to try:\n%s", out.String())
	}
	if runtime.GOOS == "windows" {
		return // the line is for a shell
	}
	if told, err := exec.Command("sh", "-c", tried[1]).CombinedOutput(); err != nil || !strings.Contains(string(told), "money.Parse is fresh") {
		t.Errorf("%s: %v\n%s", tried[1], err, told)
	}
}
