package fact

import (
	"testing"

	"pgregory.net/rapid"

	_ "github.com/causaldocs/causal/knowledge/rapidseed"
)

func TestParse(t *testing.T) {
	t.Parallel()
	tests := []struct {
		text string
		want Observation
	}{
		{"file internal/auth/auth.go 5d1e", File("internal/auth/auth.go", "5d1e")},
		{`file "my dir/a.go" 5d1e`, File("my dir/a.go", "5d1e")},
		{`file "caf\xe9.go" 5d1e`, File("caf\xe9.go", "5d1e")},
		{"symbol money Parse 77ab", Symbol("money", "Parse", "77ab")},
		{`symbol "" "operator new" 77ab`, Symbol("", "operator new", "77ab")},
		{"listing internal/auth 01", Listing("internal/auth", "01")},
		{"absent go.work", Absent("go.work")},
		{"text 401 patterns in the prod logs", Text("401 patterns in the prod logs")},
		{"text  two\nlines ", Text(" two\nlines ")},
		{"frame 00112233aabbccdd", Frame("00112233aabbccdd")},
		{"body money Parse 77ab", Of(Bodies, "money", "Parse").As("77ab")},
		{"callers money Parse 77ab", Of(Callers, "money", "Parse").As("77ab")},
		{"callees money Parse 77ab", Of(Callees, "money", "Parse").As("77ab")},
		{"implementers money Amount -", Of(Implementers, "money", "Amount").As("")},
		{"excerpt module/a purpose 77ab", Of(Excerpts, "module/a", "purpose").As("77ab")},
		{"conclusion module/a 77ab", New(Conclusions, "module/a").As("77ab")},
		{"file gone.go -", File("gone.go", "")},
		{"symbol a - -", Symbol("a", "-", "")},
		{"links internal/auth 01", New("links", "internal/auth").As("01")}, // of a plugin
	}
	for _, tt := range tests {
		got, err := Parse(tt.text)
		if err != nil || got != tt.want {
			t.Errorf("Parse(%q) = %+v, %v", tt.text, got, err)
		}
		if s := tt.want.String(); s != tt.text {
			t.Errorf("String = %q, want %q", s, tt.text)
		}
	}
}

func TestParseErrors(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"", "file", "file ", "file a", "file a ", "file  d", "file a b c", "file \"a\" d", "file a d ", "file \"a b d",
		"symbol m n", "symbol m \"\" d", "listing d", "absent", "absent a b", `absent ""`, "text", "text ", "text  \n",
		"text \xff", "frame", "Frame x", "observation x", "line 47", "file\ta d", `file a "-"`, "symbol a b", "body a b", `file a ""`, `file "a"b d`, `file a"b d`, "\xff",
	} {
		if e, err := Parse(text); err == nil {
			t.Errorf("Parse(%q) = %+v", text, e)
		}
	}
}

func TestRoundTrip(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		field := rapid.OneOf(rapid.String(), rapid.Map(rapid.SliceOf(rapid.Byte()), func(b []byte) string { return string(b) }))
		a, b, c := field.Draw(t, "a"), field.Draw(t, "b"), field.Draw(t, "c")
		for _, e := range []Observation{File(a, b), Symbol(a, b, c), Listing(a, b), Absent(a), Text(a), Frame(a), Of(Excerpts, a, b).As(c), New("links", a).As(b)} {
			if e.Check() != nil {
				continue
			}
			got, err := Parse(e.String())
			if err != nil || got != e {
				t.Fatalf("%+v is written %q and reads %+v, %v", e, e.String(), got, err)
			}
		}
	})
}

// TestDigest: the division and order of the parts matter.
func TestDigest(t *testing.T) {
	t.Parallel()
	seen := map[string][]string{}
	for _, parts := range [][]string{nil, {""}, {"", ""}, {"ab"}, {"a", "b"}, {"b", "a"}, {"a", "", "b"}, {"ab", ""}, {"", "ab"}} {
		d := Digest(parts...)
		if other, taken := seen[d]; taken || d == "" || d != Digest(parts...) {
			t.Errorf("%q has the digest %q, like %q", parts, d, other)
		}
		seen[d] = parts
		if o := File("a", d); o.Check() != nil || !plain(d) {
			t.Errorf("%q is not written as it is", d)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{"file a b", `symbol "a b" c d`, "text x y", "frame 1", `absent "\xff"`, `listing "" x`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		e, err := Parse(text)
		if err == nil && e.String() != text {
			t.Fatalf("%q reads as %+v, which is written %q", text, e, e.String())
		}
	})
}
