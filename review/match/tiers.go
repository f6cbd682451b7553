package match

import (
	"path"
	"strconv"
	"strings"

	"github.com/causaldocs/causal/review/change"
)

// exact lists the tiers for unchanged code, the most certain first. Findings with equal keys may match. A finding
// without a key does not take part in a tier.
var exact = []func(c *candidate) (string, bool){
	// The same line, as line mapping shows; several findings on one line by their code and message.
	func(c *candidate) (string, bool) { return onLine(c, c.Symbol, c.Anchor, c.Message), c.line > 0 },
	func(c *candidate) (string, bool) { return onLine(c, c.Anchor), c.line > 0 },
	func(c *candidate) (string, bool) { return onLine(c), c.line > 0 },
	// The same code in the same declaration, with the same lines around, above or below it.
	func(c *candidate) (string, bool) { return inFile(c, where(c), c.Anchor, c.Context), c.path != "" },
	func(c *candidate) (string, bool) { return inFile(c, where(c), c.Anchor, "<", above(c)), free(c) },
	func(c *candidate) (string, bool) { return inFile(c, where(c), c.Anchor, ">", below(c)), free(c) },
	func(c *candidate) (string, bool) { return inFile(c, where(c), c.Anchor), free(c) },
	// The same code with the same lines around it, in a renamed declaration.
	func(c *candidate) (string, bool) { return inFile(c, c.Anchor, c.Context), free(c) },
	func(c *candidate) (string, bool) { return inFile(c, c.Anchor, "<", above(c)), free(c) },
	func(c *candidate) (string, bool) { return inFile(c, c.Anchor, ">", below(c)), free(c) },
	// The same code in another file, with the same context or in the same declaration and directory.
	func(c *candidate) (string, bool) { return key(c, where(c), c.Anchor, c.Context), !c.stays() },
	func(c *candidate) (string, bool) {
		return key(c, path.Dir(c.Path), where(c), c.Anchor), !c.stays() && c.Symbol != ""
	},
	func(c *candidate) (string, bool) { return key(c, c.Anchor, c.Context), !c.stays() },
}

// sameDeclaration is the last tier: the same rule in the same declaration, whatever the code. Without a declaration
// it applies only if the edited lines are unknown.
func sameDeclaration(c *candidate) (string, bool) {
	named := where(c) != "" || c.version == nil || c.version.Lines == nil
	return inFile(c, where(c)), free(c) && named
}

// key joins the rule with other parts. For causal's own rules it includes the symbol, which is the subject of the
// finding rather than its place.
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

func free(c *candidate) bool { return c.path != "" && !c.stays() }

func where(c *candidate) string {
	if c.Symbol != "" {
		return "." + c.Symbol
	}
	return c.Scope
}

func above(c *candidate) string { return c.Context[:min(half, len(c.Context))] }
func below(c *candidate) string { return c.Context[min(half, len(c.Context)):] }

func decimal(n int) string { return strconv.Itoa(n) }

type version struct {
	Version
	edits change.Edits
	round int // number of earlier versions of the file
}

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
