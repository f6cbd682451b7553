// Package keep handles pages of all plugins: it keeps user text byte for byte, and never overwrites a page that
// causal did not write.
package keep

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"regexp"
	"strings"

	"github.com/causaldocs/causal/knowledge/engine"
	"github.com/causaldocs/causal/knowledge/lazyregexp"
	"github.com/causaldocs/causal/knowledge/store"
)

// Block is user text in a page. It survives byte for byte, after its section.
type Block struct {
	ID     string
	Anchor string // heading line above it, "" before the first
	Text   string // with its markers
}

const (
	// Footer opens the last fold of a page.
	Footer = `<details class="why" markdown="1">`
	// Mark is the first line of pages without front matter, or follows the title of a file that has to begin with
	// one.
	Mark = "<!-- written by causal -->\n"
)

var (
	keepOpen  = regexp.MustCompile(`^<!-- causal:keep ([A-Za-z0-9_.-]+) -->\s*$`)
	keepClose = regexp.MustCompile(`^<!-- /causal:keep -->\s*$`)
	keepLike  = regexp.MustCompile(`^\s*<!--\s*/?\s*causal:keep\b[^>]*-->\s*$`)
	fenceLine = regexp.MustCompile("^ {0,3}(`{3,}|~{3,})")
)

// Split separates the keep blocks from the generated text of a page. An unclosed block, a block without id, and
// different blocks with equal ids are errors: the page must not be overwritten.
func Split(page []byte) (generated string, keeps []Block, err error) {
	if !bytes.Contains(page, []byte("causal:keep")) {
		return string(page), nil, nil
	}
	var rest, block strings.Builder
	open, anchor, fence := "", "", ""
	seen := map[string]string{}
	for i, line := range strings.SplitAfter(string(page), "\n") {
		bare := strings.TrimRight(line, "\r\n")
		switch m := keepOpen.FindStringSubmatch(bare); {
		case open == "" && fence == "" && m != nil:
			open = m[1]
			block.Reset()
			block.WriteString(line)
		case open != "" && keepClose.MatchString(bare):
			block.WriteString(strings.TrimRight(line, "\n"))
			text := block.String()
			if Conflicted(text) {
				return "", nil, fmt.Errorf("line %d: keep block %q holds conflict markers of a merge; resolve them first", i+1, open)
			}
			if old, ok := seen[open]; ok && old != text {
				return "", nil, fmt.Errorf("line %d: two different keep blocks are called %q; give one another id", i+1, open)
			} else if !ok {
				keeps = append(keeps, Block{open, anchor, text})
			}
			seen[open] = text
			open = ""
		case open != "":
			if m != nil {
				return "", nil, fmt.Errorf("line %d: keep block %q begins inside %q", i+1, m[1], open)
			}
			block.WriteString(line)
		case fence == "" && keepLike.MatchString(bare):
			return "", nil, fmt.Errorf("line %d: %s is no marker of a keep block; they are <!-- causal:keep NAME --> and <!-- /causal:keep -->", i+1, strings.TrimSpace(bare))
		default:
			fence = fenceAfter(fence, bare)
			if fence == "" && strings.HasPrefix(bare, "## ") {
				anchor = bare
			}
			if bare == Footer {
				anchor = bare
			}
			rest.WriteString(line)
		}
	}
	if open != "" {
		return "", nil, fmt.Errorf("keep block %q does not end: add <!-- /causal:keep -->", open)
	}
	return rest.String(), keeps, nil
}

func fenceAfter(fence, line string) string {
	if !strings.Contains(line, "```") && !strings.Contains(line, "~~~") {
		return fence
	}
	m := fenceLine.FindStringSubmatch(line)
	switch {
	case fence == "" && m != nil:
		return m[1]
	case fence != "" && m != nil && strings.HasPrefix(m[1], fence) && strings.TrimSpace(line) == m[1]:
		return ""
	}
	return fence
}

// Conflicted reports whether a text contains the conflict markers of a merge.
func Conflicted(text string) bool {
	for line := range strings.SplitSeq(text, "\n") {
		if strings.HasPrefix(line, "<<<<<<< ") || strings.HasPrefix(line, ">>>>>>> ") {
			return true
		}
	}
	return false
}

// Join puts keep blocks back: at the end of their section, or before the footer if the section no longer exists.
func Join(generated string, keeps []Block) string {
	if len(keeps) == 0 {
		return generated
	}
	sections := splitSections(generated)
	known := map[string]bool{}
	for _, s := range sections {
		known[s.anchor] = true
	}
	under := map[string][]string{} // blocks by section anchor
	var homeless []string
	for _, k := range keeps {
		if known[k.Anchor] {
			under[k.Anchor] = append(under[k.Anchor], k.Text)
		} else {
			homeless = append(homeless, k.Text)
		}
	}
	var b strings.Builder
	put := func(texts []string) {
		for _, text := range texts {
			b.WriteString("\n" + text + "\n")
		}
	}
	for i, s := range sections {
		b.WriteString(s.text)
		put(under[s.anchor])
		delete(under, s.anchor)
		if i+1 < len(sections) && sections[i+1].anchor == Footer {
			put(homeless)
			homeless = nil
		}
		if i+1 < len(sections) && b.Len() > 0 && !strings.HasSuffix(b.String(), "\n\n") {
			b.WriteString("\n")
		}
	}
	put(homeless)
	return b.String()
}

type section struct{ anchor, text string }

func splitSections(page string) []section {
	var out []section
	var text strings.Builder
	anchor, fence := "", ""
	flush := func() {
		out = append(out, section{anchor, strings.TrimRight(text.String(), "\n") + "\n"})
		text.Reset()
	}
	for _, line := range strings.SplitAfter(page, "\n") {
		bare := strings.TrimRight(line, "\n")
		fence = fenceAfter(fence, bare)
		if fence == "" && (strings.HasPrefix(bare, "## ") || bare == Footer) {
			flush()
			anchor = bare
		}
		text.WriteString(line)
	}
	flush()
	return out
}

// Squeeze merges blank lines and removes those at the end of a page.
func Squeeze(s string) string {
	var b strings.Builder
	b.Grow(len(s) + 1)
	blank := true
	for line := range strings.SplitSeq(strings.TrimRight(s, "\n"), "\n") {
		if line == "" {
			if !blank {
				b.WriteByte('\n')
			}
			blank = true
			continue
		}
		blank = false
		b.WriteString(line)
		b.WriteByte('\n')
	}
	return b.String()
}

// signature matches causal's authorship in front matter, in any YAML spelling.
var signature = lazyregexp.New(`\ngenerated:\s+(\{\s*)?["']?by["']?:\s+["']?causal\b`)

// Ours reports whether causal generated a page, by its front matter, its first line, or a line between its title and
// the first section. The line may be surrounded by conflict markers of a merge.
func Ours(page []byte) bool {
	head := bytes.ReplaceAll(page[:min(len(page), 64<<10)], []byte("\r\n"), []byte("\n"))
	title, _, _ := bytes.Cut(head, []byte("\n## "))
	return signature.Match(head) || bytes.HasPrefix(head, []byte(Mark)) || bytes.Contains(title, []byte("\n\n"+Mark))
}

// mendForeign is the advice for a foreign file in the place of a page.
const mendForeign = "move that file away, or set another docs.dir in .causal/config.yml"

// Page is a page as it is stored.
type Page struct {
	Generated string // without user text
	Keeps     []Block
}

// Read reads a page, or returns nil if there is none. A foreign file and an unclosed keep block are problems:
// overwriting either would lose user text.
func Read(files interface {
	Read(name string) ([]byte, error)
}, name string) (page *Page, blocked []engine.Problem, err error) {
	data, err := files.Read(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil, nil
	case errors.Is(err, store.ErrOccupied):
		return nil, []engine.Problem{{Because: err.Error() + " and is never overwritten", Mend: mendForeign}}, nil
	case err != nil:
		return nil, nil, fmt.Errorf("read page: %w", err)
	case !Ours(data):
		return nil, []engine.Problem{{Because: name + " was not written by causal and is never overwritten", Mend: mendForeign}}, nil
	}
	generated, keeps, err := Split(data)
	if err != nil {
		return nil, []engine.Problem{{Because: err.Error(), Mend: "edit " + name}}, nil
	}
	return &Page{generated, keeps}, nil, nil
}
