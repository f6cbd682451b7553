package cfamily

import (
	"context"
	"strings"
	"testing"

	"github.com/causaldocs/causal/knowledge/source/sourcetest"
)

// TestAttributesOfRecords checks records whose name follows attributes, or macros for attributes.
func TestAttributesOfRecords(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ path, src, want string }{
		{"a.hpp", "class LIB_EXPORT Cache { public: int f(); };", "class Cache,method Cache.f"},
		{"a.hpp", "class LIB_EXPORT Cache;\nclass LIB_EXPORT Cache {};", "class Cache"},
		{"a.hpp", "class LIB_EXPORT Cache final : public Base {};", "class Cache"},
		{"a.hpp", "class LIB_EXPORT LIB_FINAL Cache {};", "class Cache"},
		{"a.hpp", "class LIB_EXPORT Cache;", ""},
		{"a.hpp", "class LIB_EXPORT cache;", ""},
		{"a.hpp", "class LIB_EXPORT(1) Cache;", ""},
		{"a.hpp", "class __attribute__((cold)) Cache;", ""},
		{"a.hpp", "class [[deprecated]] Cache;", ""},
		{"a.hpp", "class alignas(8) Cache;", ""},
		{"a.hpp", "struct LIB_EXPORT Cache;", ""},
		{"a.hpp", "template <class T> class LIB_EXPORT Cache;", ""},
		{"a.hpp", "struct RECORD now;", "var now"},
		{"a.hpp", "static struct RECORD Now;", "var Now"},
		{"a.hpp", "typedef struct RECORD Record;", "type Record"},
		{"a.hpp", "struct RECORD (*read)(void);", "var read"},
		{"a.h", "struct RECORD Now;", "var Now"}, // no C++: the spelling of a type says nothing
		{"a.h", "struct __attribute__((packed)) s;", ""},
		{"a.h", "struct __attribute__((packed)) s x;", "var x"},
	} {
		language := C
		if strings.HasSuffix(test.path, ".hpp") {
			language = CPP
		}
		f := language.Extract(context.Background(), test.path, []byte(test.src))
		var got []string
		for _, s := range f.Symbols {
			got = append(got, string(s.Kind)+" "+s.Name)
		}
		if strings.Join(got, ",") != test.want || f.Problem != "" {
			t.Errorf("%s: %s: got %v, problem %q, want %s", test.path, test.src, got, f.Problem, test.want)
		}
		sourcetest.CheckFile(t, f)
	}
}

// TestLanguageOfHeaders says which headers named .h are C++.
func TestLanguageOfHeaders(t *testing.T) {
	t.Parallel()
	for src, want := range map[string]string{
		"int f(void);": "c",
		"#include <stdint.h>\n#include <sys/types.h>\n#include \"list\"": "c",
		"#ifdef __cplusplus\n#include <string>\nclass A;\n#endif":        "c",
		"struct class { int namespace, template; } class;":               "c",
		"#include <string>":                        "c++",
		"namespace a { int f(); }":                 "c++",
		"class LIB_EXPORT A { public: int f(); };": "c++",
		"template <class T> T f();":                "c++",
		"std::size_t f();":                         "c++",
		"struct A { private: int x; };":            "c++",
	} {
		if got := C.Extract(context.Background(), "a.h", []byte(src)).Language; got != want {
			t.Errorf("%q: %s, want %s", src, got, want)
		}
	}
}
