package keep

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/causaldocs/causal/knowledge/engine"
	"github.com/causaldocs/causal/knowledge/fact"
	"github.com/causaldocs/causal/knowledge/markdown"
	"github.com/causaldocs/causal/knowledge/store"
)

// Files is where pages lie.
type Files interface {
	Read(name string) ([]byte, error)
	Write(name string, data []byte) (changed bool, err error)
	Remove(name, upTo string) error
}

// Sole is the one page of a plugin whose conclusion is a page and nothing else. Its bodies are *Page.
type Sole struct {
	Name      string // of its file
	Docs      string // the directory up to which what is empty goes away with it
	Text      string // what is concluded, in a sentence
	Condition string // what would make it wrong
	// Left is what stands on the page when there is nothing to tell any more and people wrote on it.
	Left string
}

// Conclusion is a page as a conclusion, without what people wrote on it. previous is the stored one, nil when there is none.
func (s Sole) Conclusion(p *Page, previous *engine.Conclusion) engine.Conclusion {
	c := engine.Conclusion{Text: s.Text, Body: p, Digest: Digest(p.Generated), Confidence: 1, Condition: s.Condition}
	if previous != nil {
		if before, ok := previous.Body.(*Page); ok {
			c.Stored = FileDigest(p.Generated, before.Generated)
		}
	}
	return c
}

// Digest is the digest of what is generated of a page. Blank lines do not count: keep blocks bring some with them.
func Digest(generated string) string { return fact.Digest(Squeeze(generated)) }

// FileDigest is the Stored digest of a page: a file that a formatter changed, and that reads the same, stays as it is.
func FileDigest(generated, before string) string {
	if before != "" && markdown.Same(before, generated) {
		return Digest(before)
	}
	return Digest(generated)
}

// Load reads what is stored.
func (s Sole) Load(files Files) (*engine.Conclusion, error) {
	stored, blocked, err := Read(files, s.Name)
	if stored == nil {
		if err != nil || blocked == nil {
			return nil, err
		}
		return &engine.Conclusion{Blocked: blocked}, nil
	}
	c := s.Conclusion(stored, nil)
	return &c, nil
}

// Next is a page with the text that is generated now and what people wrote on the one before.
func Next(generated string, previous *engine.Conclusion) *Page {
	p := &Page{Generated: Verbatim(generated)}
	if previous == nil {
		return p
	}
	if before, ok := previous.Body.(*Page); ok {
		p.Keeps = before.Keeps
	}
	return p
}

// Store writes a page.
func (s Sole) Store(files Files, p *Page) error {
	if _, err := files.Write(s.Name, p.encode()); err != nil {
		return fmt.Errorf("store %s: %w", s.Name, err)
	}
	return nil
}

func (p *Page) encode() []byte { return []byte(Join(p.Generated, p.Keeps)) }

// Remove removes the page when there is nothing to tell any more. Words that a person left on it stay.
func (s Sole) Remove(files Files) (engine.Removal, error) {
	data, err := files.Read(s.Name)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, store.ErrOccupied) || err == nil && !Ours(data) {
		return engine.Removal{}, nil
	}
	if err != nil {
		return engine.Removal{}, err
	}
	_, keeps, err := Split(data)
	if err != nil {
		return engine.Removal{Blocked: []engine.Problem{{Because: err.Error(), Mend: "edit " + s.Name}}}, nil
	}
	if len(keeps) == 0 {
		return engine.Removal{Done: true}, files.Remove(s.Name, s.Docs)
	}
	left := (&Page{Verbatim(s.Left), keeps}).encode()
	if string(data) == string(left) {
		return engine.Removal{}, nil
	}
	_, err = files.Write(s.Name, left)
	return engine.Removal{Written: true}, err
}

// Verbatim tells Prettier and markdownlint to leave a page as it is written. It goes around all but the front matter, or the mark in its place.
func Verbatim(generated string) string {
	if generated == "" {
		return ""
	}
	at := 0
	switch {
	case strings.HasPrefix(generated, Mark):
		at = len(Mark)
	case strings.HasPrefix(generated, "---\n"):
		at = strings.Index(generated, "\n---\n") + len("\n---\n")
	}
	return strings.TrimRight(generated[:at]+"\n<!-- prettier-ignore-start -->\n\n<!-- markdownlint-disable -->\n"+generated[at:], "\n") + "\n\n<!-- prettier-ignore-end -->\n"
}

// Head is what a page opens with, by which causal knows it: front matter, or a mark where there is to be none.
func Head(frontMatter bool, title string) string {
	if !frontMatter {
		return Mark + "\n"
	}
	return "---\ntype: " + title + "\ntitle: " + title + "\n" + By + "---\n\n"
}

// By is the line of front matter that says who wrote a page.
const By = "generated: { by: causal }\n"
