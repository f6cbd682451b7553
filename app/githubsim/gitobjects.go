package githubsim

import (
	"bytes"
	"compress/zlib"
	"crypto/sha1" //nolint:gosec // git names objects so
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

func objectPath(id string) string { return "objects/" + id[:2] + "/" + id[2:] }

// object returns the kind of an object, which is empty if there is none of the id, and its content.
func (b *bare) object(id string) (string, []byte) {
	if id == emptyTree {
		return "tree", nil
	}
	if !isID(id) {
		return "", nil
	}
	f, err := os.Open(b.path(objectPath(id)))
	if err != nil {
		return "", nil
	}
	defer f.Close()
	unzipped, err := zlib.NewReader(f)
	must(err)
	all, err := io.ReadAll(unzipped)
	must(err)
	head, content, _ := bytes.Cut(all, []byte{0})
	kind, _, _ := strings.Cut(string(head), " ")
	return kind, content
}

// writers are reused since a new one clears hundreds of kilobytes, far more than most objects need.
var writers = sync.Pool{New: func() any { return zlib.NewWriter(nil) }}

func (b *bare) put(kind, content string) string {
	whole := fmt.Sprintf("%s %d\x00%s", kind, len(content), content)
	sum := sha1.Sum([]byte(whole)) //nolint:gosec // git names objects so
	id := hex.EncodeToString(sum[:])
	if _, err := os.Lstat(b.path(objectPath(id))); err == nil {
		return id
	}
	var zipped bytes.Buffer
	w := writers.Get().(*zlib.Writer) //nolint:forcetypeassert // the pool holds nothing else
	w.Reset(&zipped)
	_, err := io.WriteString(w, whole)
	must(errors.Join(err, w.Close()))
	writers.Put(w)
	b.write(objectPath(id), zipped.String())
	return id
}

func (b *bare) blob(id string) string {
	_, content := b.object(id)
	return string(content)
}

type commit struct {
	id, tree          string
	parents           []string
	author, committer signature
	message           string
	files             []change // relative to the first parent; only if requested
}

type signature struct {
	Name  string    `json:"name"`
	Email string    `json:"email"`
	Date  time.Time `json:"date"`
}

func (s signature) String() string {
	return fmt.Sprintf("%s <%s> %d +0000", s.Name, s.Email, s.Date.Unix())
}

func parseSignature(text string) signature {
	name, rest, _ := strings.Cut(text, " <")
	email, when, _ := strings.Cut(rest, "> ")
	seconds, _, _ := strings.Cut(when, " ")
	unix, _ := strconv.ParseInt(seconds, 10, 64)
	return signature{Name: name, Email: email, Date: time.Unix(unix, 0).UTC()}
}

func (b *bare) commit(id string) commit {
	b.mu.Lock()
	known, ok := b.commits[id]
	b.mu.Unlock()
	if ok {
		return known
	}
	kind, content := b.object(id)
	if kind != "commit" {
		must(fmt.Errorf("%q is no commit", id))
	}
	c := commit{id: id}
	head, message, _ := strings.Cut(string(content), "\n\n")
	c.message = strings.TrimSuffix(message, "\n")
	for line := range strings.SplitSeq(head, "\n") {
		switch key, value, _ := strings.Cut(line, " "); key {
		case "tree":
			c.tree = value
		case "parent":
			c.parents = append(c.parents, value)
		case "author":
			c.author = parseSignature(value)
		case "committer":
			c.committer = parseSignature(value)
		}
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.commits[id] = c
	return c
}

func (b *bare) putCommit(c commit) string {
	var text strings.Builder
	fmt.Fprintf(&text, "tree %s\n", c.tree)
	for _, parent := range c.parents {
		fmt.Fprintf(&text, "parent %s\n", parent)
	}
	fmt.Fprintf(&text, "author %s\ncommitter %s\n\n%s", c.author, c.committer, c.message)
	return b.put("commit", text.String())
}

// history lists a commit and its ancestors, newest first, excluding the ancestors of other commits.
func (b *bare) history(id string, without ...string) []commit {
	known := map[string]bool{}
	for _, other := range without {
		b.walk(other, known)
	}
	return b.walk(id, known)
}

// walk lists a commit and its ancestors, newest first, excluding commits already seen. There are none of an empty id.
func (b *bare) walk(id string, seen map[string]bool) []commit {
	var out, queue []commit
	add := func(id string) {
		if id == "" || seen[id] {
			return
		}
		seen[id] = true
		c := b.commit(id)
		at, _ := slices.BinarySearchFunc(queue, c, func(a, b commit) int {
			if a.committer.Date.Before(b.committer.Date) {
				return 1
			}
			return -1
		})
		queue = slices.Insert(queue, at, c)
	}
	add(id)
	for len(queue) > 0 {
		c := queue[0]
		queue, out = queue[1:], append(out, c)
		for _, parent := range c.parents {
			add(parent)
		}
	}
	return out
}

// ancestor reports whether old is young or one of its ancestors.
func (b *bare) ancestor(old, young string) bool {
	seen := map[string]bool{}
	b.walk(young, seen)
	return seen[old]
}

func (b *bare) mergeBase(one, other string) string {
	shared := map[string]bool{}
	b.walk(one, shared)
	if shared[other] {
		return other
	}
	best := ""
	for _, c := range b.walk(other, map[string]bool{}) {
		for _, parent := range c.parents {
			if !shared[c.id] && shared[parent] && (best == "" || b.ancestor(best, parent)) {
				best = parent
			}
		}
	}
	return best
}
