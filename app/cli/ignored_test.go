package cli_test

import (
	"strings"
	"testing"

	"github.com/causaldocs/causal/app/cli"
)

// TestIgnoredDirectories checks that ignored directories are neither committed nor watched, and that causal says so.
func TestIgnoredDirectories(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		file, rules string
		says        []string // nothing is wrong when it is empty
	}{
		"the pages":           {".gitignore", "*.log\ndocs/\n", []string{"docs/causal is ignored by git (.gitignore:2: docs/)", "docs.dir"}},
		"below a rule":        {"docs/.gitignore", "causal\n", []string{"docs/causal is ignored by git (docs/.gitignore:1: causal)"}},
		"by this clone alone": {".git/info/exclude", "/docs/causal/\n", []string{".git/info/exclude:1: /docs/causal/"}},
		"all knowledge":       {".gitignore", ".causal/\n", []string{".causal/nodes is ignored", ".causal/frames is ignored"}},
		"taken in again":      {".gitignore", "docs/*\n!docs/causal/\n", nil},
		"something else":      {".gitignore", "docs/build/\n", nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newShop(t)
			r.write(c.file, c.rules)
			code := cli.ExitClean
			if len(c.says) > 0 {
				code = cli.ExitFindings
			}
			update := r.update()
			doctor := r.causal(code, "doctor")
			verify := r.causal(code, "config", "verify")
			if c.says == nil && strings.Contains(update.err+doctor.out+verify.out, "ignored by git") {
				t.Errorf("found although nothing is ignored:\n%s%s%s", update, doctor, verify)
			}
			for _, text := range c.says {
				for command, told := range map[string]string{"update": update.err, "doctor": doctor.out, "config verify": verify.out} {
					if !strings.Contains(told, text) || !strings.Contains(told, "fix: remove it from the ignore rules") {
						t.Errorf("causal %s does not say %q:\n%s", command, text, told)
					}
				}
			}
			for _, again := range []result{r.update(), r.run("check")} {
				if c.says == nil && again.err != "" || c.says != nil && !strings.Contains(again.err, c.says[0]) {
					t.Errorf("a run that writes nothing says %q", again.err)
				}
			}
		})
	}
}
