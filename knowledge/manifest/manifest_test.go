package manifest

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/causaldocs/causal/knowledge/costtest"
)

func TestRead(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, content, want string }{
		{"empty", "", ""},
		{"tables", "[a]\nx = \"1\"\n[b.c]\nx = true\n[[d]]\nx = '2'\n", "a.x=1 b.c.x=true d.0.x=2"},
		{"quoted and inline", "[t.\"q.k\"]\nd = { e = true, f = { g = \"h\" }, list = [\"]\"] }\n", "t.q.k.d.e=true t.q.k.d.f.g=h"},
		{"other line ends", "[a]\r\nx = \"1\"\r\n", "a.x=1"},
		{"a value is missing", "[a]\nx =\ny = \"2\"\n", "a.y=2"},
		{"a header is open", "[a]\nx = \"1\"\n[b\ny = \"2\"\n", "a.x=1 a.y=2"},
		{"a key twice", "[a]\nx = \"1\"\nx = \"2\"\n", "a.x=1"},
		{"an array is open", "[a]\nx = \"1\"\ny = [\n  \"b\",\n[c]\nz = 1\n", "a.x=1"},
		{"a text is open", "[a]\nx = \"1\"\ny = \"\"\"\n[c]\n", "a.x=1"},
		{"many broken lines", "[a]\nx = \"1\"\n" + strings.Repeat("=\n", 2*maxRepairs), "a.x=1"},
		{"no manifest", "\x00\xff", ""},
		{"deep", "a = " + strings.Repeat("[", 1<<17), ""},
	} {
		if got := strings.Join(spell(Read([]byte(c.content)), ""), " "); got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}

// spell lists every text of t with the keys that lead to it.
func spell(t Table, prefix string) []string {
	var out []string
	for _, key := range t.Keys() {
		if v := t.Text(key); v != "" {
			out = append(out, prefix+key+"="+v)
		}
		out = append(out, spell(t.Table(key), prefix+key+".")...)
		for i, inner := range t.Tables(key) {
			out = append(out, spell(inner, prefix+key+"."+string(rune('0'+i))+".")...)
		}
	}
	return out
}

func FuzzRead(f *testing.F) {
	f.Add([]byte("[a]\nx = \"1\"\n[[b]]\nc = {d = [1, 2]}\n"))
	f.Add([]byte("a = \"\"\"\n[b\nc =\n"))
	f.Fuzz(func(t *testing.T, content []byte) {
		costtest.Hold(t, content, func(content []byte) { Read(content) })
		got := Read(content)
		if again := Read(content); !reflect.DeepEqual(spell(got, ""), spell(again, "")) {
			t.Errorf("read %v, then %v", got, again)
		}
	})
}

// TestManyKeys: a manifest with more keys than any in use is not read, because the library would take very long over it.
func TestManyKeys(t *testing.T) {
	t.Parallel()
	for n, read := range map[int]bool{mostKeys - 1: true, mostKeys + 1: false} {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "a%d = 1\n", i)
		}
		if got := Read([]byte(b.String())); (len(got) == n) != read || !read && got != nil {
			t.Errorf("%d of %d keys are read", len(got), n)
		}
	}
}
