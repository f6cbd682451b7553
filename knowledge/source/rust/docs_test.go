package rust

import (
	"testing"

	"github.com/causaldocs/causal/knowledge/source"
)

func TestDocumentationInAttributes(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, src, want string }{
		{"a literal", "/// One\n#[doc = \" two\"]\n/// three\n", "One\n two\nthree"},
		{"under a condition", "#[cfg_attr(docsrs, doc = \"Only there.\")]\n", "Only there."},
		{"a fence and its opposite", "/// Text\n#[cfg_attr(all(feature = \"a\", b), doc = \"```\")]\n#[cfg_attr(not(all(feature = \"a\", b)), doc = \"```ignore\")]\n/// code();\n/// ```\n", "Text\n```\ncode();\n```"},
		{"the opposite first", "#[cfg_attr(not(a), doc = \"without\")]\n#[cfg_attr(a, doc = \"with\")]\n", "with"},
		{"fences of two systems", "#[cfg_attr(unix, doc = \"```no_run\")]\n#[cfg_attr(windows, doc = \"```ignore\")]\n/// code();\n#[cfg_attr(unix, doc = \"```\")]\n", "```no_run\ncode();\n```"},
		{"two in one", "#[cfg_attr(a, inline, doc = \"one\", doc = \"two\")]\n", "one\ntwo"},
		{"a file", "/// Runs.\n#[doc = include_str!(\"../run.md\")]\n", "Runs.\n\nDocumentation: `../run.md`"},
		{"pieces", "#[doc = concat!(\"Takes `\", stringify!(u8), \"`, \", \"twice.\")]\n", "Takes `u8`, twice."},
		{"what is no text", "#[doc(hidden, alias = \"x\")]\n#[doc = something!()]\n#[cfg_attr(a, must_use)]\n", ""},
		{"of lines", "/// a\n#[doc = \"b\\nc\"]\n", "a\nb\nc"},
		{"not finished", "#[cfg_attr(a, doc = concat!(\"x\"\n", "x"},
	}
	for _, test := range tests {
		f, err := source.Extract(t.Context(), Language{}, "a.rs", []byte(test.src+"pub fn f() {}\n"))
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		got := ""
		for _, s := range f.Symbols {
			got += s.Doc
		}
		if got != test.want {
			t.Errorf("%s: got %q, want %q", test.name, got, test.want)
		}
	}
}
