package source

import (
	"maps"
	"slices"
	"strings"
	"testing"
)

func TestNeeded(t *testing.T) {
	t.Parallel()
	declare := func(file, name string, kind Kind, exported bool, refs ...string) Declared {
		return Declared{Path: "m/" + file, Name: strings.TrimSuffix(file, ending(file)) + "." + name, Symbol: &Symbol{Name: name, Kind: kind, Exported: exported, Refs: refs}}
	}
	declared := []Declared{
		declare("a.ts", "open", Func, true, "Options", "Elsewhere"), declare("a.ts", "Options", Interface, false), declare("a.ts", "Options.size", Field, false, "Size"),
		declare("a.ts", "Size", Type, false), declare("a.ts", "Inner", Interface, false), declare("a.ts", "inner", Func, false, "Inner"), declare("a.ts", "help", Func, false),
		declare("b.ts", "Elsewhere", Type, false), declare("c.py", "f", Func, true, "T"), declare("c.py", "T", Type, false), declare("a.ts", "Size.x", Field, false, "Options"),
	}
	got := slices.Sorted(maps.Keys(Needed(declared, func(d *Declared) bool { return d.Exported })))
	if want := []string{"a.Options", "a.Options.size", "a.Size", "a.Size.x"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

func ending(file string) string { return file[strings.LastIndexByte(file, '.'):] }
