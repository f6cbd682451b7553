package webhooks

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"

	"pgregory.net/rapid"

	"github.com/causaldocs/causal/knowledge/costtest"
	_ "github.com/causaldocs/causal/knowledge/rapidseed" // the same examples in every run
)

// sift puts a document through a sieve in pieces of n bytes.
func sift(document string, n int) (payload, *sieve, error) {
	s := newSieve(payloadFields)
	for rest := []byte(document); len(rest) > 0; rest = rest[min(n, len(rest)):] {
		_, _ = s.Write(rest[:min(n, len(rest))])
	}
	kept, err := s.document()
	if err != nil {
		return payload{}, s, err
	}
	p, err := parse("push", kept)
	return p, s, err
}

// values draws JSON values with the names that the door looks at, in places where they belong and where they do not.
func values() *rapid.Generator[any] {
	names := rapid.SampledFrom([]string{
		"action", "installation", "id", "repository", "full_name", "repositories", "commits", "added", "check_run", "pull_requests",
		"base", "repo", "changes", "default_branch", "number", "ref", "sender", "login", "Ünïcode", "with \"quotes\"", "",
	})
	scalar := rapid.OneOf(
		rapid.Just[any](nil), rapid.Map(rapid.Bool(), func(b bool) any { return b }), rapid.Map(rapid.IntRange(-9, 9), func(n int) any { return n }),
		rapid.Map(rapid.StringMatching(`[a-z"\\/é{}\[\],: ]{0,9}`), func(s string) any { return s }),
	)
	value := scalar
	for range 4 {
		inner := value
		value = rapid.OneOf(
			scalar,
			rapid.Map(rapid.MapOfN(names, inner, 0, 6), func(m map[string]any) any { return m }),
			rapid.Map(rapid.SliceOfN(inner, 0, 3), func(l []any) any { return l }),
		)
	}
	return value
}

// TestSieveKeepsTheMeaning compares with the decoder of the standard library, which reads whole documents.
func TestSieveKeepsTheMeaning(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		data, err := json.MarshalIndent(values().Draw(t, "document"), "", rapid.SampledFrom([]string{"", " ", "\t"}).Draw(t, "indent"))
		if err != nil {
			t.Fatal(err)
		}
		got, _, gotErr := sift(string(data), rapid.IntRange(1, 40).Draw(t, "piece"))
		var want payload
		wantErr := json.Unmarshal(data, &want)
		if data[0] != '{' {
			if !errors.Is(gotErr, errNoObject) {
				t.Fatalf("%s is no object, and passes for one: %v", data, gotErr)
			}
			return
		}
		if (gotErr == nil) != (wantErr == nil) {
			t.Fatalf("%s\ngot %v, want %v", data, gotErr, wantErr)
		}
		if strings.HasPrefix(want.Comment.Body, got.Comment.Body) { // of which no more than the beginning is wanted
			want.Comment.Body = got.Comment.Body
		}
		if gotErr == nil && !reflect.DeepEqual(got, want) {
			t.Fatalf("%s\ngot  %+v\nwant %+v", data, got, want)
		}
	})
}

// TestBeginnings of strings are kept where no more is wanted, however long they are and wherever a piece of the document ends.
func TestBeginnings(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`/causal help`: "/causal help", `/causal dismiss F1 no\nmore`: "/causal dismiss F1 no", `\n/causal`: "", `a\u00e9b`: "a", `a\"b`: "a", ``: "",
		strings.Repeat("é", 40_000): strings.Repeat("é", 32),
	} {
		for _, piece := range []int{1, 7, 1 << 20} {
			got, s, err := sift(`{"comment":{"body":"`+text+`"},"number":7}`, piece)
			if err != nil || got.Comment.Body != want || got.Number != 7 || len(s.out) > 200 {
				t.Errorf("%.40q in pieces of %d: %q, %+v, %v", text, piece, got.Comment.Body, got.Number, err)
			}
		}
	}
}

func FuzzSieve(f *testing.F) {
	f.Add([]byte(pushed), 7)
	f.Add([]byte(`{"commits": [{"id": "a\"\\u00e9", "added": []}, {}, null], "x": [1.5e3, {"y": {}}, [[]]]}`), 1)
	f.Fuzz(func(t *testing.T, document []byte, piece int) {
		costtest.Hold(t, document, func(document []byte) { _, _ = newSieve(payloadFields).Write(document) })
		p, s, err := sift(string(document), max(piece%64, 1))
		if cap(s.out) > 2*mostKept {
			t.Errorf("keeps %d bytes", cap(s.out))
		}
		var want payload
		if !json.Valid(document) || json.Unmarshal(document, &want) != nil || s.cut {
			return
		}
		if errors.Is(err, errTooDeep) || errors.Is(err, errTooMuch) || errors.Is(err, errNoObject) || strings.Contains(fmt.Sprint(err), "too long") {
			return
		}
		if err != nil {
			t.Fatalf("%q is refused: %v", document, err)
		}
		_ = p
	})
}

func TestSieveRefuses(t *testing.T) {
	t.Parallel()
	for _, document := range []string{
		"", " ", "push!", "[]", "null", `"x"`, `{`, `{"a"`, `{"a":`, `{"a":1`, `{"a":1,}`, `{"a" 1}`, `{a:1}`, `{"a":1}}`, `{"a":1} x`,
		`{"a":tru}`, `{"a":01}`, `{"a":[1,]}`, `{"a":[,]}`, `{"a":[}`, `{"a":{]}`, `{"a":}`, `{,}`, `{"a":[1 2]}`, `{"a":+1}`,
		`{"a":` + strings.Repeat("1", longestScalar+1) + `}`, `{"a":` + strings.Repeat("[", mostDepth) + strings.Repeat("]", mostDepth) + `}`,
		`{"ref":"` + strings.Repeat("x", mostKept) + `"}`, `{"ref":` + strings.Repeat(`"x","ref":`, mostKept/8) + `1}`,
	} {
		for _, n := range []int{1, 3, 1 << 20} {
			if _, s, err := sift(document, n); err == nil || cap(s.out) > 2*mostKept {
				t.Errorf("%.60q in pieces of %d: got %v, %d bytes are kept", document, n, err, cap(s.out))
			}
		}
	}
}

// TestLongListsAreCut has lists that are longer than what is kept of them, and what stands behind them.
func TestLongListsAreCut(t *testing.T) {
	t.Parallel()
	const tail = `], "forced": true, "repository": {"id": 7, "full_name": "octo/shop"}}`
	long := strings.Repeat("x", 100)
	tests := map[string]struct {
		document string
		keeps    func(payload) int
		least    int
	}{
		"repositories": {
			`{"repositories": [` + strings.TrimSuffix(strings.Repeat(`{"id": 1, "full_name": "octo/shop", "private": [{}]},`, 100_000), ",") + tail,
			func(p payload) int { return len(p.Repositories) }, 600,
		},
		"commits": {
			`{"commits": [` + strings.TrimSuffix(strings.Repeat(`{"id": "b", "added": ["`+long+`"]},`, 50_000), ",") + tail,
			func(p payload) int { return len(p.Commits) }, 300,
		},
		"files of one commit": {
			`{"commits": [{"id": "a"}, {"id": "b", "added": [` + strings.TrimSuffix(strings.Repeat(`"`+long+`",`, 50_000), ",") + `]}` + tail,
			func(p payload) int { return len(p.Commits) }, 1,
		},
		"one long path": {
			`{"commits": [{"id": "a"}, {"id": "b", "added": ["` + strings.Repeat("x", 1<<20) + `"]}` + tail,
			func(p payload) int { return len(p.Commits) }, 1,
		},
		"pull requests": {
			`{"check_run": {"pull_requests": [` + strings.TrimSuffix(strings.Repeat(`{"number": 1, "url": "`+long+`", "base": {"repo": {"id": 7}}},`, 50_000), ",") + `], "head_branch": "x"}, "commits": [` + tail,
			func(p payload) int { return len(p.CheckRun.PullRequests) }, 600,
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p, s, err := sift(tt.document, 1000)
			if err != nil || !s.cut || cap(s.out) > 2*mostKept {
				t.Fatalf("got %v, cut %v, %d bytes are kept", err, s.cut, cap(s.out))
			}
			if n := tt.keeps(p); n < tt.least || !p.Forced || p.Repository.FullName != "octo/shop" {
				t.Errorf("keeps %d of the list, and %+v of what follows", n, p.Repository)
			}
		})
	}
}

func TestForm(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.String()
		fields := url.Values{"payload": {text.Draw(t, "payload")}, "other": {text.Draw(t, "other")}, "pay": {"x"}, "payloads": {"y"}}
		var out strings.Builder
		f := &form{next: &out}
		if _, err := io.Copy(f, iotest.OneByteReader(strings.NewReader(fields.Encode()))); err != nil {
			t.Fatal(err)
		}
		if err := f.end(); err != nil || out.String() != fields.Get("payload") {
			t.Fatalf("got %q, %v, want %q", out.String(), err, fields.Get("payload"))
		}
	})
}
