package survey

import (
	"context"
	"errors"
	"maps"
	"strings"
	"testing"

	"github.com/causaldocs/causal/knowledge/fact"
	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/knowledge/source/languages"
	"github.com/causaldocs/causal/knowledge/source/token"
)

// faulty is a language with a reader that the test defines.
type faulty struct {
	source.Language

	extract func(ctx context.Context, src []byte) source.File
}

func (faulty) Name() string         { return "faulty" }
func (faulty) Extensions() []string { return []string{".faulty"} }
func (f faulty) Extract(ctx context.Context, _ string, src []byte) source.File {
	return f.extract(ctx, src)
}

// faultySurvey surveys a repository with one file of a language whose reader the test defines.
func faultySurvey(t *testing.T, dir string, files map[string]string, extract func(context.Context, []byte) source.File) *Survey {
	t.Helper()
	tree := readTree()
	maps.Copy(tree.files, files)
	x := openIndex(t, dir)
	return New(Config{
		Tree: tree, Index: x, Batch: x.NewBatch(), Languages: append(languages.All(), faulty{languages.All()[0], extract}), MaxBytes: 64 << 20,
		Owned: func(string) bool { return false }, Excluded: func(string) bool { return false },
	})
}

// opaque returns the reason why a file was not read.
func opaque(t *testing.T, s *Survey, module, file string) string {
	t.Helper()
	k, err := Read(&recorder{t: t, survey: s}, module)
	if err != nil {
		t.Fatal(err)
	}
	for _, u := range k.Units() {
		if u.Path == file {
			return u.Opaque
		}
	}
	t.Fatalf("%s is not listed", file)
	return ""
}

// TestAReaderThatFailsCostsItsFile: the run goes on, the others are read, and the file is listed with the reason. It is
// read again by the next run: the fault may be mended.
func TestAReaderThatFailsCostsItsFile(t *testing.T) {
	t.Parallel()
	dir, read := t.TempDir(), 0
	extract := func(context.Context, []byte) source.File {
		read++
		var none []string
		return source.File{Doc: none[read]}
	}
	for run := range 2 {
		s := faultySurvey(t, dir, map[string]string{"a/x.faulty": "x"}, extract)
		if err := s.Observe(t.Context()); err != nil {
			t.Fatal(err)
		}
		if why := opaque(t, s, "a", "a/x.faulty"); !strings.HasPrefix(why, "the faulty reader failed: ") || !strings.Contains(why, "index out of range") {
			t.Errorf("%q", why)
		}
		if digest(t, s, fact.New(fact.Files, "a/a.go")) == "" || opaque(t, s, "a", "a/a.go") != "" {
			t.Error("the file beside it is not read")
		}
		if read != run+1 {
			t.Errorf("read %d times in %d runs", read, run+1)
		}
		if err := errors.Join(s.Wait(), s.Batch.Commit(), s.Index.Close()); err != nil {
			t.Fatal(err)
		}
	}
}

// TestAnInvolvedFileIsListed checks that a file over the step limit is listed with the reason.
func TestAnInvolvedFileIsListed(t *testing.T) {
	t.Parallel()
	s := faultySurvey(t, t.TempDir(), map[string]string{"a/x.faulty": "x"}, func(ctx context.Context, src []byte) source.File {
		m := token.NewMeter(ctx, len(src))
		for {
			m.Step()
		}
	})
	if err := s.Observe(t.Context()); err != nil {
		t.Fatal(err)
	}
	if why := opaque(t, s, "a", "a/x.faulty"); why != token.ErrInvolved.Error() {
		t.Errorf("%q", why)
	}
}

// TestACancelledRunEndsInTheMiddleOfAFile cancels a reader that would never end.
func TestACancelledRunEndsInTheMiddleOfAFile(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	s := faultySurvey(t, t.TempDir(), map[string]string{"a/x.faulty": strings.Repeat("x", 10<<20)}, func(ctx context.Context, src []byte) source.File {
		cancel()
		for m := token.NewMeter(ctx, 1<<40); ; {
			m.Step()
		}
	})
	if err := s.Observe(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}
