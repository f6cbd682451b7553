package app_test

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/format"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// quantity is the number of a limit, with its unit.
var quantity = regexp.MustCompile(`(\d+)(?: (KiB|MiB|GiB|bytes|s|h))?(?:,| \(|$)`)

// units are in bytes, and in nanoseconds.
var units = map[string]int64{"": 1, "bytes": 1, "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30, "s": int64(time.Second), "h": int64(time.Hour)}

// TestLimitsAreWhatTheDocumentSays holds each number of docs/limits.md to the constant that it names.
func TestLimitsAreWhatTheDocumentSays(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile(filepath.Join("..", "docs", "limits.md"))
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for line := range strings.Lines(string(page)) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), " | ")
		if len(cells) != 5 || cells[1] == "Limit" {
			continue
		}
		found++
		name := strings.Trim(strings.TrimSpace(cells[2]), "`")
		dot := strings.LastIndexByte(name, '.')
		text := expression(t, filepath.Join("..", name[:dot]), name[dot+1:])
		if text == "" {
			t.Errorf("there is no constant %s", name)
			continue
		}
		got, err := valueOf(text)
		if err != nil {
			t.Errorf("%s = %s: %v", name, text, err)
			continue
		}
		matches := quantity.FindAllStringSubmatch(strings.ReplaceAll(cells[1], " by `max_file_bytes`", ""), -1)
		said := map[int64]bool{}
		for _, m := range matches {
			var n int64
			_, _ = fmt.Sscan(m[1], &n)
			said[n*units[m[2]]] = true
		}
		if !said[got] {
			t.Errorf("%s is %d, the document says %q", name, got, cells[1])
		}
	}
	if found < 40 {
		t.Errorf("the document has %d limits", found)
	}
}

// expression returns the source of a package's constant.
func expression(t *testing.T, dir, name string) (text string) {
	t.Helper()
	files := token.NewFileSet()
	parsed, err := parser.ParseDir(files, dir, func(i fs.FileInfo) bool { return !strings.HasSuffix(i.Name(), "_test.go") }, 0) //nolint:staticcheck // build tags do not matter
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range parsed {
		ast.Inspect(p, func(n ast.Node) bool {
			if s, ok := n.(*ast.ValueSpec); ok {
				for i, id := range s.Names {
					if id.Name == name && i < len(s.Values) {
						var b strings.Builder
						_ = format.Node(&b, files, s.Values[i])
						text = b.String()
					}
				}
			}
			return true
		})
	}
	return text
}

// valueOf evaluates a constant expression.
func valueOf(text string) (int64, error) {
	text = strings.NewReplacer("time.Second", "1000000000", "time.Minute", "60000000000", "time.Hour", "3600000000000").Replace(text)
	v, err := types.Eval(token.NewFileSet(), nil, token.NoPos, text)
	if err != nil {
		return 0, err
	}
	n, ok := constant.Int64Val(constant.ToInt(v.Value))
	if !ok {
		return 0, fmt.Errorf("%s is no whole number", text)
	}
	return n, nil
}
