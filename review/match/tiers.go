package match

import (
	"path"
	"strconv"
	"strings"

	"github.com/causaldocs/causal/review/change"
)

// exact are the tiers in which the code of a finding is what it was, the surest first. Two findings may be one when their keys are
// equal; what has no key in a tier takes no part in it.
var exact = []func(c *candidate) (string, bool){
	// The same line, as far as lines can be told from one version to the other; several findings on it, by what they say.
	func(c *candidate) (string, bool) { return onLine(c, c.Symbol, c.Anchor, c.Message), c.line > 0 },
	func(c *candidate) (string, bool) { return onLine(c, c.Anchor), c.line > 0 },
	func(c *candidate) (string, bool) { return onLine(c), c.line > 0 },
	// The same code in the same declaration, between the same lines or behind or before them.
	func(c *candidate) (string, bool) { return inFile(c, where(c), c.Anchor, c.Context), c.path != "" },
	func(c *candidate) (string, bool) { return inFile(c, where(c), c.Anchor, "<", above(c)), free(c) },
	func(c *candidate) (string, bool) { return inFile(c, where(c), c.Anchor, ">", below(c)), free(c) },
	func(c *candidate) (string, bool) { return inFile(c, where(c), c.Anchor), free(c) },
	// The same code between the same lines; the declaration has another name.
	func(c *candidate) (string, bool) { return inFile(c, c.Anchor, c.Context), free(c) },
	func(c *candidate) (string, bool) { return inFile(c, c.Anchor, "<", above(c)), free(c) },
	func(c *candidate) (string, bool) { return inFile(c, c.Anchor, ">", below(c)), free(c) },
	// The same code in another file: with what is around it, or its declaration in the same directory.
	func(c *candidate) (string, bool) { return key(c, where(c), c.Anchor, c.Context), !c.stays() },
	func(c *candidate) (string, bool) {
		return key(c, path.Dir(c.Path), where(c), c.Anchor), !c.stays() && c.Symbol != ""
	},
	func(c *candidate) (string, bool) { return key(c, c.Anchor, c.Context), !c.stays() },
}

// sameDeclaration is the last tier: whatever the code, the rule finds something in the same declaration. Where that has no name,
// only when nobody knows which lines were edited.
func sameDeclaration(c *candidate) (string, bool) {
	named := where(c) != "" || c.version == nil || c.version.Lines == nil
	return inFile(c, where(c)), free(c) && named
}

// key joins what findings have in common with what they are about: their rule, and of a rule of causal's own the symbol, which is
// the thing that it is about rather than the place.
func key(c *candidate, parts ...string) string {
	about := ""
	if !strings.Contains(c.Rule, "/") {
		about = c.Symbol
	}
	return strings.Join(append([]string{c.Rule, about}, parts...), "\x00")
}

func onLine(c *candidate, parts ...string) string {
	return key(c, append([]string{c.path, string(c.Side), decimal(c.line)}, parts...)...)
}

func inFile(c *candidate, parts ...string) string {
	return key(c, append([]string{c.path}, parts...)...)
}

// free reports whether a finding may be at another line of its file.
func free(c *candidate) bool { return c.path != "" && !c.stays() }

// where is the declaration that a finding is in.
func where(c *candidate) string {
	if c.Symbol != "" {
		return "." + c.Symbol
	}
	return c.Scope
}

func above(c *candidate) string { return c.Context[:min(half, len(c.Context))] }
func below(c *candidate) string { return c.Context[min(half, len(c.Context)):] }

func decimal(n int) string { return strconv.Itoa(n) }

// version is a Version with its edits.
type version struct {
	Version
	edits change.Edits
	round int // how many versions of its file were asked for before
}

// history asks a Mapper once for each version.
type history struct {
	became   Mapper
	versions map[[2]string]*version
	count    map[string]int
}

func newHistory(became Mapper) *history {
	return &history{became, map[[2]string]*version{}, map[string]int{}}
}

func (h *history) version(path, blob string) *version {
	if h.versions[[2]string{path, blob}] == nil && h.count[path] >= mostVersions {
		blob = ""
	}
	v := h.versions[[2]string{path, blob}]
	if v == nil {
		v = &version{Version: h.became(path, blob), round: h.count[path]}
		h.count[path]++
		if v.Lines != nil {
			v.edits = v.Lines.Edits()
		}
		h.versions[[2]string{path, blob}] = v
	}
	return v
}
