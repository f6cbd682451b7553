package gitstore

import (
	"bufio"
	"errors"
	"os"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestParsePorcelain(t *testing.T) {
	t.Parallel()
	id := strings.Repeat("a", 40)
	out := strings.Join([]string{
		"# branch.oid " + id, "# branch.head main", "# stash 3",
		"1 M. N... 100644 100755 100755 " + id + " " + id + " a b\nc",
		"u UD N... 100644 100644 000000 100644 " + id + " " + id + " " + id + " u",
		"? new", "? nested/", "",
	}, "\x00")
	p, err := parsePorcelain(out)
	if err != nil || p.head != id || p.branch != "main" {
		t.Fatalf("%+v, %v", p, err)
	}
	want := []record{
		{kind: '1', staged: true, inHead: Regular, onDisk: Executable, id: id, path: "a b\nc"},
		{kind: 'u', inHead: Regular, onDisk: Regular, id: id, path: "u"},
		{kind: '?', path: "new"},
	}
	if !slices.Equal(p.records, want) {
		t.Errorf("records = %+v\nwant %+v", p.records, want)
	}
	for _, bad := range []string{
		"2 R. N... 100644 100644 100644 a b R100 x\x00y\x00", "1 M. N... 100644", "? ", "x", "1 M. N... 1 1 1 a b p",
		"u UU N... 100644 100644", "1 M N... 100644 100644 100644 a b p",
	} {
		if p, err := parsePorcelain(bad); err == nil {
			t.Errorf("%q gives %+v", bad, p)
		}
	}
}

func FuzzParsePorcelain(f *testing.F) {
	f.Add("# branch.oid (initial)\x001 .A N... 000000 000000 100644 0 0 p\x00? x\x00")
	f.Add("u UU N... 100644 100644 100644 100644 1 2 3 p\x00")
	f.Fuzz(func(t *testing.T, out string) {
		p, err := parsePorcelain(out)
		for _, r := range p.records {
			if err != nil || r.path == "" || strings.Contains(r.path, "\x00") || !strings.Contains("1u?", string(r.kind)) {
				t.Errorf("record %+v with error %v", r, err)
			}
		}
	})
}

func FuzzParseTree(f *testing.F) {
	f.Add("100644 a b\x00aaaaaaaaaaaaaaaaaaaa40000 d\x00bbbbbbbbbbbbbbbbbbbb")
	f.Add("100644 a\x00short")
	f.Fuzz(func(t *testing.T, content string) {
		entries, err := parseTreeObject(Blob{ID: strings.Repeat("0", sha1Format.size), Content: []byte(content)})
		for name, l := range entries {
			if err == nil && (name == "" || len(l.ID) != sha1Format.size || l.directory == (l.Mode != "")) {
				t.Errorf("%q is %+v", name, l)
			}
		}
	})
}

func FuzzHiddenIn(f *testing.F) {
	entry := strings.Repeat("s", 60) + "\x80\x01a\x00"
	f.Add("DIRC\x00\x00\x00\x02\x00\x00\x00\x01" + entry + strings.Repeat("c", 20))
	f.Add("DIRC\x00\x00\x00\x03\x7f\xff\xff\xff")
	f.Fuzz(func(t *testing.T, index string) {
		paths, ok := hiddenIn([]byte(index), 20)
		for path := range paths {
			if ok && !strings.Contains(index, path+"\x00") {
				t.Errorf("%q is hidden", path)
			}
		}
	})
}

func FuzzReadAnswer(f *testing.F) {
	f.Add("abc blob 3\nxyz\n", "abc")
	f.Add("abc missing\n", "abc")
	f.Fuzz(func(t *testing.T, out, name string) {
		if a, err := readAnswer(bufio.NewReader(strings.NewReader(out)), name, "blob", 1<<20); err == nil && len(a.Content) > len(out) {
			t.Errorf("%d bytes out of %d", len(a.Content), len(out))
		}
	})
}

func FuzzParseCommit(f *testing.F) {
	f.Add("tree t\nparent p\nauthor A <a> 1 +0000\ncommitter C <c> 1767225600 +0100\n\nsubject\nmore\n\nbody")
	f.Add("tree t\ncommitter >")
	f.Fuzz(func(t *testing.T, raw string) {
		c, err := parseCommit("id", []byte(raw))
		if err == nil && (strings.Contains(c.Subject, "\n") || c.Tree == "" || c.When.Location() != time.UTC) {
			t.Errorf("%+v", c)
		}
	})
}

func TestRedact(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"fatal: unable to access 'https://user:pa:ss@host/a@b.git/': no": "fatal: unable to access 'https://***@host/a@b.git/': no",
		"https://ghs_1@host and ssh://git@host":                          "https://***@host and ssh://***@host",
		"git@host:path and https://host/a@b":                             "git@host:path and https://host/a@b",
	} {
		if got := redact(text); got != want {
			t.Errorf("redact(%q) = %q, want %q", text, got, want)
		}
	}
}

func TestSettings(t *testing.T) {
	t.Parallel()
	path := t.TempDir() + "/config"
	text := "[core]\n\tbare\n[Remote \"O.r\"]\n\tURL = a ; comment\n\turl = \"b;c\"\n"
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	s := settings{}
	if err := s.read(path); err != nil {
		t.Fatal(err)
	}
	if !s.is("core.bare", false) || s.get("remote.O.r.url") != "b;c" || len(s["remote.O.r.url"]) != 2 {
		t.Errorf("settings = %v", s)
	}
	if listed := parseSettings("core.bare\x00remote.O.r.url\na\x00remote.O.r.url\nb;c\x00"); !listed.is("core.bare", false) ||
		!slices.Equal(listed["remote.O.r.url"], s["remote.O.r.url"]) {
		t.Errorf("listed = %v", listed)
	}
	if err := os.WriteFile(path, []byte("[core\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := (settings{}).read(path); !errors.Is(err, errSettings) {
		t.Errorf("damaged file: %v", err)
	}
}
