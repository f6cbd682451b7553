package ledger

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"

	"github.com/causaldocs/causal/knowledge/store"
)

// Checkpoint is the signed state of a log at a time. Every later state contains its events.
type Checkpoint struct {
	Events int       // number of events that the heads have seen, including themselves
	Root   tlog.Hash // hash of the set of those
	Heads  []ID      // sorted
}

const (
	checkpointsDir   = store.Log + "/checkpoints"
	checkpointEnding = ".note"
	origin           = "causal log checkpoint "
)

// MostCheckpoint is the size limit in bytes, for as many heads as an event may name and some signatures.
const MostCheckpoint = 32 << 10

// IsCheckpoint reports whether a path is that of a checkpoint.
func IsCheckpoint(file string) bool {
	return strings.HasPrefix(file, checkpointsDir+"/") && path.Ext(file) == checkpointEnding
}

// IsFile reports whether a path is that of any log file.
func IsFile(file string) bool { return IsBatch(file) || IsKey(file) || IsCheckpoint(file) }

// Named reports whether the content of a log file matches its name.
func Named(file string, data []byte) bool {
	if IsBatch(file) {
		return BatchPath(data) == file
	}
	return strings.TrimSuffix(path.Base(file), path.Ext(file)) == sumOf(data)
}

func sumOf(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// named reports whether a key or a checkpoint matches its name. It also accepts git's line ends on Windows.
func (f *File) named() bool {
	if !Named(f.Path, f.Data) {
		f.Data = bytes.ReplaceAll(f.Data, []byte("\r\n"), []byte("\n"))
	}
	return Named(f.Path, f.Data)
}

// Checkpoint returns a signed checkpoint, or false if the log is empty or lacks events that others have seen.
func (l *Log) Checkpoint(s *Signer) (f File, ok bool, err error) {
	heads := slices.Sorted(slices.Values(l.newest()))
	marked := make(map[ID]bool, len(l.events))
	if !l.mark(heads, marked) || len(marked) == 0 {
		return File{}, false, nil
	}
	all := (&forest{}).of(slices.Sorted(maps.Keys(marked)))
	data, err := note.Sign(&note.Note{Text: Checkpoint{all.events, all.hash, heads}.text()}, s)
	if err != nil {
		return File{}, false, fmt.Errorf("sign a checkpoint: %w", err)
	}
	sum := sumOf(data)
	return File{path.Join(checkpointsDir, sum[:2], sum+checkpointEnding), data}, true, nil
}

func (l *Log) mark(events []ID, marked map[ID]bool) (whole bool) {
	whole = true
	for todo := slices.Clone(events); len(todo) > 0; {
		id := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		e, ok := l.Find(id)
		whole = whole && ok
		if ok && !marked[id] {
			marked[id] = true
			todo = append(todo, e.Parents...)
		}
	}
	return whole
}

func (c Checkpoint) text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s%d\nevents %d\nroot %x\n", origin, version, c.Events, c.Root[:])
	for _, id := range c.Heads {
		fmt.Fprintf(&b, "head %s\n", id)
	}
	return b.String()
}

func parseCheckpoint(text string) (Checkpoint, error) {
	first, rest, _ := strings.Cut(text, "\n")
	v, ours := strings.CutPrefix(first, origin)
	if n, err := strconv.Atoi(v); ours && err == nil && n > version {
		return Checkpoint{}, fmt.Errorf("it was written by a newer version of causal (form %d, this one reads %d)", n, version)
	}
	var c Checkpoint
	for line := range strings.Lines(rest) {
		word, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		switch word {
		case "events":
			c.Events, _ = strconv.Atoi(value)
		case "root":
			_, _ = hex.Decode(c.Root[:], []byte(value[:min(len(value), 2*len(c.Root))]))
		case "head":
			c.Heads = append(c.Heads, ID(value))
		}
	}
	unfit := slices.ContainsFunc(c.Heads, func(id ID) bool { return !id.valid() }) || !slices.IsSorted(c.Heads) || len(slices.Compact(slices.Clone(c.Heads))) < len(c.Heads)
	if unfit || c.text() != text || c.Events < len(c.Heads) || len(c.Heads) == 0 {
		return Checkpoint{}, errors.New("it is no checkpoint of a log")
	}
	return c, nil
}

// errForged is returned for a checkpoint whose signature does not match the key that it names.
var errForged = errors.New("it is not signed with the key that it names")

func (f File) open(keys note.Verifiers) (claim, error) {
	if len(f.Data) > MostCheckpoint {
		return claim{}, fmt.Errorf("it has %d bytes, and %d are the most", len(f.Data), MostCheckpoint)
	}
	n, err := note.Open(f.Data, keys)
	var unknown *note.UnverifiedNoteError
	var forged *note.InvalidSignatureError
	switch {
	case errors.As(err, &forged):
		return claim{}, fmt.Errorf("%w (%s)", errForged, forged.Name)
	case errors.As(err, &unknown):
		n = unknown.Note
	case err != nil:
		return claim{}, fmt.Errorf("it is no signed checkpoint: %w", err)
	}
	c, err := parseCheckpoint(n.Text)
	return claim{Checkpoint: c, file: f, signed: unknown == nil}, err
}
