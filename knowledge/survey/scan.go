package survey

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path"
	"runtime"
	"strconv"
	"sync"

	"github.com/causaldocs/causal/knowledge/index"
	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/knowledge/source/token"
)

// scanner turns files into source units, from the content cache or by reading them.
type scanner struct {
	tree     Tree
	index    *index.Index
	batch    *index.Batch
	classes  *source.Classifier
	maxBytes int64
	// reading is called for each file while it is read.
	reading   func(file string) (done func())
	filesRead int
	// seen holds the keys of all requested files; nil if they are not tracked.
	seen map[string]bool
}

// blobKey is the cache key of a file: its content and every setting that reading it depends on. The path identifies
// tests and entry points. It precedes the blob id, so files are stored in reading order.
func (s *scanner) blobKey(e Entry) string {
	key := strconv.Itoa(source.Rules) + " " + strconv.FormatInt(s.maxBytes, 10) + " " + e.Path + " " + e.ID
	if l := s.classes.Language(e.Path); l != nil {
		return l.Name() + " " + strconv.Itoa(l.Version()) + " " + key
	}
	return "other " + key
}

func (s *scanner) units(ctx context.Context, entries []Entry) ([]source.Unit, error) {
	out := make([]source.Unit, len(entries))
	unread := make([]bool, len(entries))
	if err := inParallel(ctx, len(entries), func(i int) { out[i], unread[i] = s.unit(entries[i]) }); err != nil {
		return nil, err
	}
	var missing []int
	for i := range unread {
		if unread[i] {
			missing = append(missing, i)
		}
		if s.seen != nil {
			s.seen[s.blobKey(entries[i])] = true
		}
	}
	return out, s.read(ctx, entries, missing, out)
}

func (s *scanner) unit(e Entry) (u source.Unit, missing bool) {
	u = source.Unit{Path: e.Path, Hash: e.ID}
	class := s.classes.Classify(e.Path)
	switch {
	case !class.Readable && !class.Readme:
		u.Opaque = "no extractor for " + class.Language
		u.File = source.File{Language: class.Language, Content: blobDigest(e)}
	case !s.index.Blob(s.blobKey(e), &u.File):
		return u, true
	case u.File.Language == "":
		u = opaqueUnit(e, class.Language, u.File.Problem)
	}
	return u, false
}

func blobDigest(e Entry) source.Digest { return source.DigestOf("blob", e.ID) }

func opaqueUnit(e Entry, language, why string) source.Unit {
	return source.Unit{Path: e.Path, Hash: e.ID, Opaque: why, File: source.File{Language: language, Content: blobDigest(e)}}
}

type job struct {
	at      int
	content []byte
}

type result struct {
	at      int
	encoded []byte
	err     error
}

// read extracts the files that are not in the cache: one goroutine reads, GOMAXPROCS workers extract, and the caller
// collects.
func (s *scanner) read(ctx context.Context, entries []Entry, missing []int, out []source.Unit) error {
	if len(missing) == 0 {
		return nil
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	workers := min(runtime.GOMAXPROCS(0), len(missing))
	jobs, results := make(chan job, 2*workers), make(chan result, 2*workers)
	var group sync.WaitGroup
	for range workers {
		group.Go(func() {
			for j := range jobs {
				done := s.reading(entries[j.at].Path)
				encoded, err := s.extract(ctx, entries[j.at], j.content, &out[j.at])
				done()
				results <- result{j.at, encoded, err}
			}
		})
	}
	group.Go(func() {
		defer close(jobs)
		if err := s.feed(ctx, entries, missing, out, jobs, results); err != nil {
			results <- result{err: err, at: -1}
		}
	})
	go func() {
		group.Wait()
		close(results)
	}()
	var failed error
	for r := range results {
		if r.err != nil && failed == nil {
			failed = r.err
			cancel()
		}
		if r.encoded != nil && failed == nil {
			if failed = s.batch.PutBlob(s.blobKey(entries[r.at]), r.encoded); failed != nil {
				cancel()
			}
		}
	}
	s.filesRead += len(missing)
	return failed
}

// feed reads the missing files and passes them to the workers. It handles unreadable files itself.
func (s *scanner) feed(ctx context.Context, entries []Entry, missing []int, out []source.Unit, jobs chan<- job, results chan<- result) error {
	wanted := make([]Entry, len(missing))
	for i, at := range missing {
		wanted[i] = entries[at]
	}
	next := 0
	return s.tree.Read(ctx, wanted, s.maxBytes, func(e Entry, content []byte, err error) error {
		at := missing[next]
		next++
		why := ""
		switch {
		case errors.Is(err, ErrTooLarge):
			why = fmt.Sprintf("larger than %d bytes", s.maxBytes)
		case err != nil && ctx.Err() != nil:
			return err
		case err != nil:
			why = "cannot be read"
		case bytes.IndexByte(content[:min(len(content), 8000)], 0) >= 0:
			why = "binary"
		case isPointer(content):
			why = "Git LFS pointer, content not available"
		}
		if why != "" {
			out[at] = opaqueUnit(e, s.classes.Classify(e.Path).Language, why)
			encoded, err := index.Encode(source.File{Problem: why})
			if why == "cannot be read" {
				encoded = nil
			}
			results <- result{at, encoded, err}
			return nil
		}
		select {
		case jobs <- job{at, content}:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	})
}

// builtFile is the reason for which the output of a build is not read.
const builtFile = "minified or bundled by a build"

const longestPointer = 1 << 10

func isPointer(content []byte) bool {
	return len(content) < longestPointer && bytes.HasPrefix(content, []byte("version https://git-lfs.github.com/spec/")) &&
		bytes.Contains(content, []byte("\noid "))
}

// extract reads a file. A file that its language cannot read is listed with the reason. The result is cached if the
// content alone determines it, but not if the reader failed: the reader may be fixed without a version change.
func (s *scanner) extract(ctx context.Context, e Entry, content []byte, into *source.Unit) ([]byte, error) {
	if bytes.IndexByte(content, '\r') >= 0 {
		content = bytes.ReplaceAll(content, []byte("\r\n"), []byte("\n"))
	}
	content = bytes.TrimPrefix(content, []byte("\xef\xbb\xbf"))
	if l := s.classes.Language(e.Path); l != nil {
		if built := source.TraitsOf(l.Name()).Built; built != nil && built(e.Path, content) {
			*into = opaqueUnit(e, l.Name(), builtFile)
			return index.Encode(source.File{Problem: builtFile})
		}
		f, err := source.Extract(ctx, l, e.Path, content)
		if err != nil {
			return s.unreadable(ctx, e, err, into)
		}
		into.File = f
	} else {
		into.File = source.Readme(e.Path, content)
	}
	encoded, err := index.Encode(into.File)
	if err != nil {
		return nil, fmt.Errorf("remember %s: %w", e.Path, err)
	}
	return encoded, nil
}

func (s *scanner) unreadable(ctx context.Context, e Entry, why error, into *source.Unit) ([]byte, error) {
	if ctx.Err() != nil {
		return nil, why
	}
	*into = opaqueUnit(e, s.classes.Classify(e.Path).Language, why.Error())
	if !errors.Is(why, token.ErrInvolved) {
		return nil, nil
	}
	return index.Encode(source.File{Problem: why.Error()})
}

func moduleOf(file string) string { return path.Dir(file) }
