package ecma

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/causaldocs/causal/knowledge/source"
)

// checked holds the meanings of the names in a file according to the TypeScript checker, by offset.
type checked struct {
	File    string
	Errors  int
	Names   map[int]string
	Members map[int][]string
}

// tally counts what became of the names of a corpus.
type tally struct {
	files, names, findings, certain, open int
	wrong, missed, members, unjudged      int
	examples                              []string
}

func (c *tally) note(count *int, format string, args ...any) {
	*count++
	if len(c.examples) < 60 {
		c.examples = append(c.examples, fmt.Sprintf(format, args...))
	}
}

// TestCheckerAgrees compares the meanings of names with the TypeScript checker: bound in a function, a block or a type, declared in the
// file, imported, or unknown.
func TestCheckerAgrees(t *testing.T) {
	t.Parallel()
	files := corpus(t)
	small, err := filepath.Glob("testdata/references/*")
	if err != nil {
		t.Fatal(err)
	}
	var c tally
	ask(t, "testdata/references.cjs", append(files, small...), func(line []byte) error {
		var want checked
		if err := json.Unmarshal(line, &want); err != nil {
			return err
		}
		if want.Errors == 0 {
			c.compare(t, want)
		}
		return nil
	})
	for _, e := range c.examples {
		t.Log(e)
	}
	c.examples = nil
	t.Logf("%+v: %.1f %% certain, %.3f %% of them wrong", c, 100*float64(c.certain)/float64(c.findings), 100*float64(c.wrong)/float64(c.certain))
	if float64(c.wrong) > 0.005*float64(c.certain) {
		t.Errorf("%d of %d certain references are wrong", c.wrong, c.certain)
	}
	if float64(c.missed) > 0.005*float64(c.names) {
		t.Errorf("%d of %d names are missed", c.missed, c.names)
	}
}

// compare reads one file event by event.
func (c *tally) compare(t *testing.T, want checked) {
	src := readSource(t, want.File)
	x := newExtractor(t.Context(), want.File, src, readsJSX(want.File), languageOf(want.File) == JavaScript)
	x.outline()
	x.uses()
	b := newBinder(x)
	b.statements(0, len(x.t))
	b.prepare()
	c.files++
	c.names += len(want.Names)
	for i := range b.events {
		e := &b.events[i]
		verdict := ""
		if e.kind == refers || e.kind == passes {
			verdict = "global"
			if n := b.lookup(e); n != 0 && !b.blocks[b.locals[n].block].outer {
				verdict = "local"
			} else if n != 0 || b.holder(e, 0) != 0 {
				verdict = "module"
			}
		}
		before := len(b.found.List)
		b.meet(e)
		c.judge(b, e, want, verdict, b.found.List[before:])
	}
	for off, place := range want.Names {
		if place == "module" || place == "import" {
			c.note(&c.missed, "%s: line %d: %s not seen", want.File, lineOf(src, off), wordAt(src, off))
		}
	}
}

// judge compares what one event led to.
func (c *tally) judge(b *binder, e *event, want checked, verdict string, found []source.Mention) {
	c.findings += len(found)
	certain := 0
	for _, f := range found {
		certain += b2i(f.How&source.AsOpen == 0)
	}
	c.certain += certain
	c.open += len(found) - certain
	if verdict == "" || e.name < reservedNames {
		c.judgeMember(b, e, want, found)
		return
	}
	off := int(b.t[e.token].off)
	place, ok := want.Names[off]
	delete(want.Names, off)
	if place == "import" {
		place = "module"
	}
	at := func() string {
		return fmt.Sprintf("%s:%d: %s", want.File, b.t[e.token].line, b.names.Text(e.name))
	}
	switch {
	case !ok && certain > 0:
		c.note(&c.wrong, "%s is no name", at())
	case !ok, place == verdict, place == "conventional":
	case place == "module" && certain == 0:
		c.note(&c.missed, "%s is of the module, not %s", at(), verdict)
	case certain > 0:
		c.note(&c.wrong, "%s is %s, not %s", at(), place, verdict)
	}
	if verdict == "local" {
		c.judgeMember(b, e, want, found)
	}
}

// judgeMember compares the class that a member is said to be of.
func (c *tally) judgeMember(b *binder, e *event, want checked, found []source.Mention) {
	for _, f := range found {
		parent, name := b.paths.Split(f.Name)
		if f.How&source.AsOpen > 0 || parent == 0 {
			continue
		}
		i := int(e.token)
		for i < int(e.end) && (b.t[i].kind != tIdent && b.t[i].kind != tPrivate || b.number(i) != name || i == int(e.token) && e.kind != selects) {
			i++
		}
		c.members++
		classes, ok := want.Members[int(b.at(i).off)]
		if !ok {
			c.unjudged++
			continue
		}
		holder := string(b.spelled(parent))
		short := holder[strings.LastIndexByte(holder, '.')+1:]
		if !slices.Contains(classes, short) && !(short == "default" && slices.Contains(classes, "default")) {
			c.note(&c.wrong, "%s:%d: %s.%s is of %v", want.File, b.LineOf(f.At), holder, b.names.Text(name), classes)
		}
	}
}

// readSource reads a file as Extract gets it.
func readSource(t *testing.T, name string) []byte {
	t.Helper()
	src, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return bytes.ReplaceAll(src, []byte("\r\n"), []byte("\n"))
}

func lineOf(src []byte, off int) int { return 1 + bytes.Count(src[:off], []byte("\n")) }

func wordAt(src []byte, off int) string {
	end := off
	for end < len(src) && byteClass[src[end]] >= cIdent {
		end++
	}
	return string(src[off:end])
}
