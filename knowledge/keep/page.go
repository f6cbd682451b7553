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

// Files is the store of pages.
type Files interface {
	Read(name string) ([]byte, error)
	Write(name string, data []byte) (changed bool, err error)
	Remove(name, upTo string) error
}

// Sole is the page of a plugin whose conclusion is a single page. Its bodies are *Page.
type Sole struct {
	Name      string // of its file
	Docs      string // the directory up to which empty directories are removed
	Text      string // the conclusion in a sentence
	Condition string // invalidation condition
	// Left replaces the content of a page that is no longer needed but has user text.
	Left string
}

const onlyPage = "page"

// Unit returns the unit of a kind with a single page.
func Unit(kind string) engine.Unit { return engine.Unit{Kind: kind, Subject: onlyPage} }

// Kind returns a kind whose only unit is the page. shown reports whether the page has contents.
func (s Sole) Kind(name, version string, files Files, shown func(r engine.Reader) (bool, error)) engine.Kind {
	return engine.Kind{
		Name: name, Derived: true, Rendered: true,
		Subjects: func(r engine.Reader) ([]string, error) {
			if there, err := shown(r); err != nil || !there {
				return nil, err
			}
			return []string{onlyPage}, nil
		},
		Generator: func(engine.Reader, string) (string, error) { return version, nil },
		Load:      func(engine.Reader, string) (*engine.Conclusion, error) { return s.Load(files) },
		Remove:    func(string) (engine.Removal, error) { return s.Remove(files) },
		Path:      func(string) string { return s.Name },
		Owner:     func(file string) (string, bool) { return onlyPage, file == s.Name },
	}
}

// Conclusion returns a page as a conclusion, without user text. previous is the stored one or nil.
func (s Sole) Conclusion(p *Page, previous *engine.Conclusion) engine.Conclusion {
	c := engine.Conclusion{Text: s.Text, Body: p, Digest: Digest(p.Generated), Confidence: 1, Condition: s.Condition}
	if previous != nil {
		if before, ok := previous.Body.(*Page); ok {
			c.Stored = FileDigest(p.Generated, before.Generated)
		}
	}
	return c
}

// Digest returns the digest of the generated text, ignoring the blank lines that keep blocks may add.
func Digest(generated string) string { return fact.Digest(Squeeze(generated)) }

// FileDigest returns the Stored digest of a page. A file with only formatting changes keeps its digest.
func FileDigest(generated, before string) string {
	if before != "" && markdown.Same(before, generated) {
		return Digest(before)
	}
	return Digest(generated)
}

// Load reads the stored page.
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

// Next returns a page with the new generated text and the user text of the previous one.
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

// Remove removes a page that is no longer needed, unless it has user text.
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

// Verbatim makes Prettier and markdownlint ignore a page, except its front matter, or the mark instead of it.
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

// Head returns the head of a page, which identifies it as causal's: front matter, or a mark.
func Head(frontMatter bool, title string) string {
	if !frontMatter {
		return Mark + "\n"
	}
	return "---\ntype: " + title + "\ntitle: " + title + "\n" + By + "---\n\n"
}

// Left returns the content of a page whose subject is gone, for the user text in it.
func Left(frontMatter bool, title, gone string) string {
	return Head(frontMatter, title) + "# " + title + "\n\n" + gone + " Your notes below stay until you delete them.\n"
}

// By is the front matter line that identifies the author of a page.
const By = "generated: { by: causal }\n"
