package java

import (
	"context"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/knowledge/source/sourcetest"
)

var update = flag.Bool("update", false, "write the golden files")

// TestGolden compares everything except digests with testdata/*.golden.
func TestGolden(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob(filepath.Join("testdata", "*.java"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		t.Run(filepath.Base(name), func(t *testing.T) {
			t.Parallel()
			src, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			f := Language{}.Extract(context.Background(), "src/main/java/"+filepath.Base(name), src)
			sourcetest.CheckFile(t, f)
			got := golden(t, f)
			want, err := os.ReadFile(name + ".golden")
			if *update {
				if err := os.WriteFile(name+".golden", got, 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if string(got) != string(want) {
				t.Errorf("got\n%s", got)
			}
		})
	}
}

func golden(t *testing.T, f source.File) []byte {
	f.Content = ""
	for i := range f.Symbols {
		f.Symbols[i].Interface, f.Symbols[i].Content = "", ""
	}
	got, err := json.MarshalIndent(f, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	return append(got, '\n')
}
