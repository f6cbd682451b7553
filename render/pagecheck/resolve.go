package pagecheck

import (
	"fmt"
	"net/url"
	"path"
	"strings"

	"github.com/causaldocs/causal/knowledge/lazyregexp"
)

var scheme = lazyregexp.New(`^[A-Za-z][A-Za-z0-9+.-]*:`)

func (s *scan) resolve(pages map[string]*scan, exists func(string) bool) {
	fine := map[string]bool{} // caches links: most repeat
	for _, l := range s.links {
		if fine[l.dest] {
			continue
		}
		what, mend := s.follow(l.dest, pages, exists)
		if what != "" {
			s.problems = append(s.problems, Problem{Page: s.page, Line: l.line, What: what, Mend: mend})
		}
		fine[l.dest] = what == ""
	}
}

// follow returns the error of a destination and its fix, or nothing.
func (s *scan) follow(dest string, pages map[string]*scan, exists func(string) bool) (what, mend string) {
	if strings.Contains(dest, ":") {
		lower := strings.ToLower(dest)
		switch {
		case strings.HasPrefix(lower, "http://"), strings.HasPrefix(lower, "https://"), strings.HasPrefix(lower, "mailto:"):
			return "", ""
		case scheme.MatchString(dest):
			return fmt.Sprintf("the link to %s has a scheme that is not shown", dest), "link to an http(s) address or to a file"
		}
	}
	if strings.HasPrefix(dest, "//") {
		return fmt.Sprintf("the link to %s names a host without a scheme", dest), "begin it with https:"
	}
	target, fragment, anchored := strings.Cut(dest, "#")
	target, _, _ = strings.Cut(target, "?")
	file, err := url.PathUnescape(target)
	if err != nil {
		return fmt.Sprintf("the link to %s is not encoded correctly", dest), "write a percent sign as %25"
	}
	file = s.locate(file)
	if strings.HasPrefix(file, "../") || file == ".." {
		return fmt.Sprintf("the link to %s leaves the repository", dest), "link to a file of the repository"
	}
	page, inSet := pages[file]
	if !inSet && (exists == nil || !exists(file)) {
		return fmt.Sprintf("the link to %s leads nowhere: there is no %s", dest, file), "render the pages again, or correct the path"
	}
	if anchored && inSet {
		return page.missing(dest, fragment)
	}
	return "", ""
}

// locate returns the repository path of a link on this page.
func (s *scan) locate(file string) string {
	switch {
	case file == "":
		return s.page
	case strings.HasPrefix(file, "/"):
		return path.Clean(strings.TrimLeft(file, "/"))
	}
	return path.Join(path.Dir(s.page), file)
}

// missing reports a missing anchor, or nothing.
func (s *scan) missing(dest, fragment string) (what, mend string) {
	id, err := url.PathUnescape(fragment)
	if err != nil {
		return fmt.Sprintf("the link to %s is not encoded correctly", dest), "write a percent sign as %25"
	}
	if id == "" || id == "top" || s.anchors[id] {
		return "", ""
	}
	return fmt.Sprintf("the link to %s leads nowhere: %s has no anchor %q", dest, s.page, id), "render the pages again, or name a heading that is there"
}
