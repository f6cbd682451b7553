package github

import (
	"crypto/sha1" //nolint:gosec // git's hash
	"encoding/hex"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	gh "github.com/google/go-github/v66/github"

	"github.com/causaldocs/causal/app/plain"
)

// Commit is a commit to be created.
type Commit struct {
	Branch       string // with or without refs/heads/
	ExpectedHead string // the required head of the branch, and the only parent
	Headline     string
	Body         string
	Write        map[string][]byte
	Delete       []string // all of them must exist
}

// largestCommit bounds one mutation. GitHub reportedly fails at 40 MB and times out earlier.
const largestCommit = 16 << 20

const largestFile = 100 << 20

var objectID = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[0-9a-f]{40}([0-9a-f]{24})?$`) })

// check rejects commits that GitHub would refuse with a less clear error, or would accept although they are wrong.
func (c Commit) check() error {
	switch {
	case c.Branch == "":
		return fmt.Errorf("%w: the commit has no branch", ErrRefused)
	case IsQueued(c.Branch):
		return errQueued(c.Branch)
	case !objectID().MatchString(c.ExpectedHead):
		return fmt.Errorf("%w: expected head %q is no commit", ErrRefused, c.ExpectedHead)
	case c.Headline == "" || strings.Contains(c.Headline, "\n"):
		return fmt.Errorf("%w: a headline is one line", ErrRefused)
	case len(c.Write)+len(c.Delete) == 0:
		return fmt.Errorf("%w: the commit changes nothing", ErrRefused)
	}
	for _, name := range c.paths() {
		first, _, _ := strings.Cut(name, "/")
		if name != path.Clean(name) || path.IsAbs(name) || first == ".." || first == "." || strings.EqualFold(first, ".git") {
			return fmt.Errorf("%w: %q is no path of a repository", ErrRefused, name)
		}
		if len(c.Write[name]) > largestFile {
			return &Error{Kind: ErrTooLarge, Doing: "commit " + name, Said: fmt.Sprintf("it has %d MB", len(c.Write[name])>>20)}
		}
	}
	for _, name := range c.Delete {
		if _, both := c.Write[name]; both {
			return fmt.Errorf("%w: %s is written and deleted", ErrRefused, name)
		}
	}
	return nil
}

func (c Commit) paths() []string {
	out := slices.Clone(c.Delete)
	for name := range c.Write {
		out = append(out, name)
	}
	slices.Sort(out)
	return out
}

func (c Commit) size() int {
	n := 0
	for name, content := range c.Write {
		n += len(name) + len(content)*4/3
	}
	return n
}

func (c Commit) message() string {
	if c.Body == "" {
		return c.Headline
	}
	return c.Headline + "\n\n" + c.body()
}

func (c Commit) body() string { return plain.Text(c.Body, largestText) }

// sameMessage ignores trailing newlines, which GitHub may change.
func (c Commit) sameMessage(message string) bool {
	return strings.TrimSpace(message) == strings.TrimSpace(c.message())
}

func (c Commit) sameFiles(files []*gh.CommitFile) bool {
	for _, f := range files {
		content, written := c.Write[f.GetFilename()]
		switch {
		case f.GetStatus() == "removed":
			if !slices.Contains(c.Delete, f.GetFilename()) {
				return false
			}
		case !written || f.GetSHA() != blobID(content):
			return false
		case f.GetStatus() == "renamed" && !slices.Contains(c.Delete, f.GetPreviousFilename()):
			return false
		}
	}
	return len(files) > 0
}

func (c Commit) allIn(files []*gh.CommitFile) bool {
	differ := map[string]bool{}
	for _, f := range files {
		differ[f.GetFilename()], differ[f.GetPreviousFilename()] = true, true
	}
	return !slices.ContainsFunc(c.paths(), func(name string) bool { return !differ[name] })
}

func blobID(content []byte) string {
	hash := sha1.New() //nolint:gosec // as above
	fmt.Fprintf(hash, "blob %d\x00", len(content))
	hash.Write(content)
	return hex.EncodeToString(hash.Sum(nil))
}
