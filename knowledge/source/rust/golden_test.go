package rust

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/causaldocs/causal/knowledge/source/sourcetest"
)

var update = flag.Bool("update", false, "write the golden files anew")

func TestGolden(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/*.rs")
	if err != nil || len(files) == 0 {
		t.Fatalf("no files under testdata: %v", err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			t.Parallel()
			src, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			f := Language{}.Extract(context.Background(), "src/"+filepath.Base(file), src)
			sourcetest.CheckFile(t, f)
			var got bytes.Buffer
			encoder := json.NewEncoder(&got)
			encoder.SetEscapeHTML(false)
			encoder.SetIndent("", " ")
			if err := encoder.Encode(f); err != nil {
				t.Fatal(err)
			}
			golden := file + ".golden.json"
			if *update {
				if err := os.WriteFile(golden, got.Bytes(), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(got.Bytes(), want) {
				t.Errorf("%s differs from %s; look at it and write it anew with -update\n%s", file, golden, got.Bytes())
			}
		})
	}
}
