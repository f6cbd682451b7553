package python

import (
	"path"
	"strconv"
	"strings"

	"github.com/causaldocs/causal/testgen"
	"github.com/causaldocs/causal/testgen/spec"
)

const (
	prefix = "test_causal_"
	suffix = ".py"
)

// codeFile returns the test file of a module: dots become two underscores, with a digest if that is ambiguous.
func codeFile(dir, module string) string {
	name := strings.ReplaceAll(module, ".", "__")
	for _, part := range strings.Split(module, ".") {
		if strings.Contains(part, "__") || strings.HasSuffix(part, "_") {
			name += "_" + spec.Short(module)
			break
		}
	}
	return path.Join(dir, prefix+name+suffix)
}

// Owns reports whether a path is that of a generated test file.
func Owns(file string) bool {
	base := path.Base(file)
	return path.Base(path.Dir(file)) == "tests" && strings.HasPrefix(base, prefix) && strings.HasSuffix(base, suffix)
}

// scope hands out unique names.
type scope map[string]bool

func (s scope) name(want string) string {
	got := want
	for n := 2; s[got] || reserved[got] || soft[got]; n++ {
		got = want + "_" + strconv.Itoa(n)
	}
	s[got] = true
	return got
}

// soft are names that tests use themselves.
var soft = testgen.Words("pytest given settings st contextlib str float set frozenset request expected error once self Exception")
