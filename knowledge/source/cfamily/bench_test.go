package cfamily

import (
	"context"
	"os"
	"path"
	"testing"
)

func BenchmarkExtract(b *testing.B) {
	type input struct {
		name string
		src  []byte
	}
	var inputs []input
	total := 0
	for _, name := range sourceFiles(b, ".c", ".h", ".cc", ".cpp", ".hpp") {
		src, err := os.ReadFile(name)
		if err != nil || total > 16<<20 {
			continue
		}
		inputs = append(inputs, input{name, src})
		total += len(src)
	}
	if len(inputs) == 0 {
		b.Skip("no C files are installed")
	}
	b.SetBytes(int64(total))
	b.ReportAllocs()
	for b.Loop() {
		for _, in := range inputs {
			language := C
			if e := path.Ext(in.name); e != ".c" && e != ".h" {
				language = CPP
			}
			language.Extract(context.Background(), in.name, in.src)
		}
	}
}
