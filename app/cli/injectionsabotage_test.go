package cli_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/causaldocs/causal/knowledge/testmode"
)

// permissive are changes of causal that each drop one of its guards, and the test that notices.
var permissive = map[string]struct{ file, guard, instead, test string }{
	"markup is accepted":             {"knowledge/grounding/text.go", "markup.MatchString(text) || ", "", "TestInjectedProse"},
	"text is not escaped":            {"knowledge/markdown/plaintext.go", "b.WriteString(escapeBetween(part))", "b.WriteString(part)", "TestInjectedProse"},
	"hidden characters are kept":     {"knowledge/grounding/text.go", "\t\t\treturn -1\n", "\t\t\treturn r\n", "TestInjectedProse"},
	"every source counts":            {"knowledge/grounding/grounding.go", "\t\t\treturn Sentence{}, prompt.NoSuchPlace\n", "\t\t\tcites = []Cite{{File: cite}}\n", "TestInjectedProse"},
	"a sentence may have any length": {"knowledge/grounding/text.go", "return clean, ok && len(clean) <= longestSentence", "return clean, ok", "TestInjectedProse"},
	"the key may come back":          {"app/model/form.go", "bytes.Contains(text, f.key)", "false && bytes.Contains(text, f.key)", "TestInjectedProse"},
	"stored prose is believed":       {"render/node/overview.go", "s.Text != \"\" && (!ok || clean != s.Text)", "!ok && clean == \"no\"", "TestForgedFiles"},
	"stored answers are believed":    {"render/answers/record.go", "!fs.ValidPath(c.File)", "!fs.ValidPath(\".\")", "TestForgedFiles"},
	"stored open points are trusted": {"render/answers/record.go", "text, ok := grounding.CleanSentence(text)", "text, ok := text, true", "TestForgedFiles"},
	"prose replaces facts":           {"render/prose.go", "n.ProseEvidence = shown.evidence\n", "n.ProseEvidence = shown.evidence\n\t\tn.Purpose = raw\n", "TestInjectedProse"},
	"a model's purpose has no mark":  {"render/guide.go", "about += \" \" + byModel", "about += \"\"", "TestInjectedProse"},
}

// TestPermissiveBuilds builds these tests with each change, and expects that they fail.
func TestPermissiveBuilds(t *testing.T) {
	if !testmode.Long() {
		t.Skip("builds the program many times: " + testmode.Setting + "=1 runs it; TestHeldCanFail is the short form")
	}
	root, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	for name, p := range permissive {
		t.Run(name, func(t *testing.T) {
			source := filepath.Join(root, filepath.FromSlash(p.file))
			text, err := os.ReadFile(source)
			if err != nil || strings.Count(string(text), p.guard) != 1 {
				t.Fatalf("%s does not have the guard %q once: %v", p.file, p.guard, err)
			}
			dir := t.TempDir()
			changed, overlay := filepath.Join(dir, "changed.go"), filepath.Join(dir, "overlay.json")
			files, err := json.Marshal(map[string]any{"Replace": map[string]string{source: changed}})
			if err != nil {
				t.Fatal(err)
			}
			for file, content := range map[string][]byte{changed: []byte(strings.Replace(string(text), p.guard, p.instead, 1)), overlay: files} {
				if err := os.WriteFile(file, content, 0o600); err != nil {
					t.Fatal(err)
				}
			}
			c := exec.CommandContext(t.Context(), "go", "test", "-count=1", "-vet=off", "-overlay="+overlay, "-run=^("+p.test+")$", ".")
			out, err := c.CombinedOutput()
			if err == nil || !regexp.MustCompile(`(?m)^--- FAIL: `+p.test+` `).Match(out) || strings.Contains(string(out), "panic:") {
				t.Errorf("%s does not notice: %.3000s", p.test, out)
			}
		})
	}
}
