package site

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"path"
	"slices"
	"strings"

	"golang.org/x/net/html"
)

// site is a built site: its HTML pages by path, and the set of all files.
type site struct {
	pages map[string]*linked
	files map[string]bool
}

// linked holds the anchors and links of an HTML page.
type linked struct {
	ids   map[string]bool
	links []string // as they are written
}

// linking are the attributes that hold addresses, by element.
var linking = map[string]string{"a": "href", "link": "href", "script": "src", "img": "src"}

func read(dir fs.FS) (*site, error) {
	s := &site{pages: map[string]*linked{}, files: map[string]bool{}}
	err := fs.WalkDir(dir, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		s.files[name] = true
		if path.Ext(name) != ".html" {
			return nil
		}
		data, err := fs.ReadFile(dir, name)
		if err != nil {
			return err
		}
		s.pages[name], err = readPage(data)
		return err
	})
	return s, err
}

func readPage(data []byte) (*linked, error) {
	p := &linked{ids: map[string]bool{}}
	for z := html.NewTokenizer(bytes.NewReader(data)); ; {
		switch z.Next() {
		case html.ErrorToken:
			if err := z.Err(); !errors.Is(err, io.EOF) {
				return nil, err
			}
			return p, nil
		case html.StartTagToken, html.SelfClosingTagToken:
			p.note(z.Token())
		}
	}
}

func (p *linked) note(t html.Token) {
	for _, a := range t.Attr {
		switch {
		case a.Key == "id", a.Key == "name" && t.Data == "a":
			p.ids[a.Val] = true
		case a.Key == linking[t.Data]:
			p.links = append(p.links, a.Val)
		}
	}
}

// target is the file and the anchor that a link on a page leads to; false when it leads out of the site.
func target(from, link string) (file, anchor string, ok bool, err error) {
	u, err := url.Parse(link)
	if err != nil || u.Scheme != "" || u.Host != "" {
		return "", "", false, err
	}
	to := (&url.URL{Path: "/" + from}).ResolveReference(u)
	file = strings.TrimPrefix(to.Path, "/")
	if file == "" || strings.HasSuffix(file, "/") {
		file += "index.html"
	}
	return file, to.Fragment, true, nil
}

// broken lists the links that lead nowhere, with the pages that they are on.
func (s *site) broken() []string {
	var out []string
	for name, p := range s.pages {
		for _, link := range p.links {
			file, anchor, ok, err := target(name, link)
			switch {
			case err != nil:
				out = append(out, fmt.Sprintf("%s: %s is not a URL: %v", name, link, err))
			case !ok:
			case !s.files[file]:
				out = append(out, fmt.Sprintf("%s: %s is not a file", name, link))
			case anchor != "" && s.pages[file] != nil && !s.pages[file].ids[anchor]:
				out = append(out, fmt.Sprintf("%s: %s is not an anchor", name, link))
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// counts are how many links lead to files of the site, and how many of them to an anchor.
func (s *site) counts() (links, anchors int) {
	for name, p := range s.pages {
		for _, link := range p.links {
			if _, anchor, ok, err := target(name, link); ok && err == nil {
				links++
				if anchor != "" {
					anchors++
				}
			}
		}
	}
	return links, anchors
}
