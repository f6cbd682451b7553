package web

import (
	"fmt"
	"io/fs"
	"math"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// everyPage renders each page in each of its states.
func everyPage(t *testing.T) map[string]string {
	t.Helper()
	out := map[string]string{}
	for name, source := range map[string]*fake{"shop": shop(), "empty": {}} {
		for _, tok := range []string{token, ""} {
			p := pagesOver(t, source, tok)
			for _, target := range []string{"/", "/runs", "/runs?after=1", "/runs/412", "/runs/411", "/queue", "/queue?restarted=411", "/nothing"} {
				out[fmt.Sprintf("%s, token %t: %s", name, tok != "", target)] = ask(p, "GET", target, nil, p.access.grant()).text
			}
			out[fmt.Sprintf("%s, token %t: wrong login", name, tok != "")] = ask(p, "POST", "/login", url.Values{"token": {"x"}}).text
			out[fmt.Sprintf("%s, token %t: login", name, tok != "")] = ask(p, "GET", "/login", nil).text
		}
	}
	s := newStage(t, nil)
	s.keepErr, s.activeErr = fs.ErrPermission, fs.ErrClosed
	out["set-up, waiting"] = ask(s, "GET", "/", nil).text
	out["set-up, form"] = ask(s, "GET", s.Link(), nil).text
	out["set-up, wrong form"] = ask(s, "POST", "/setup", url.Values{"token": {s.token(t)}, "owner": {"organisation"}}).text
	form := url.Values{"token": {s.token(t)}, "owner": {"user"}}
	r := ask(s, "POST", "/setup", form)
	out["set-up, handover"] = r.text
	action := strings.ReplaceAll(actionOf.FindStringSubmatch(out["set-up, handover"])[1], "&amp;", "&")
	out["set-up, done"] = ask(s, "GET", arrive(action), nil, r.cookies...).text
	return out
}

var (
	inputs   = regexp.MustCompile(`<(?:input|select|textarea)\b[^>]*>`)
	headings = regexp.MustCompile(`<th\b[^>]*>`)
	links    = regexp.MustCompile(`<a\b[^>]*>([^<]*(?:<[^/][^>]*>[^<]*</[^>]+>)*[^<]*)</a>`)
	ids      = regexp.MustCompile(`\bid="([^"]*)"`)
	refs     = regexp.MustCompile(`aria-(?:labelledby|describedby)="([^"]*)"`)
	handlers = regexp.MustCompile(`<script|\son[a-z]+=|\sstyle="|<style`)
)

// rules are what every page keeps to.
var rules = []struct {
	name string
	bad  func(page string) any
}{
	{"it names its language", func(p string) any { return !strings.Contains(p, `<html lang="en">`) }},
	{"it has a title", func(p string) any { return strings.Contains(p, "<title> ·") || !strings.Contains(p, "<title>") }},
	{"it has one first heading", func(p string) any { return strings.Count(p, "<h1>") != 1 }},
	{"tables have captions", func(p string) any { return strings.Count(p, "<table") != strings.Count(p, "<caption") }},
	{"headings of tables have a scope", func(p string) any {
		return slices.ContainsFunc(headings.FindAllString(p, -1), func(th string) bool { return !strings.Contains(th, "scope=") })
	}},
	{"fields have labels", func(p string) any {
		// A label holds its field: what is not hidden stands between <label> and </label>.
		for _, at := range inputs.FindAllStringIndex(p, -1) {
			hidden := strings.Contains(p[at[0]:at[1]], "hidden")
			if !hidden && strings.LastIndex(p[:at[0]], "<label") <= strings.LastIndex(p[:at[0]], "</label") {
				return p[at[0]:at[1]]
			}
		}
		return false
	}},
	{"links say where they lead", func(p string) any {
		return slices.ContainsFunc(links.FindAllStringSubmatch(p, -1), func(m []string) bool { return strings.TrimSpace(m[1]) == "" })
	}},
	{"ids occur once", func(p string) any {
		var seen []string
		for _, m := range ids.FindAllStringSubmatch(p, -1) {
			if slices.Contains(seen, m[1]) {
				return m[1]
			}
			seen = append(seen, m[1])
		}
		return false
	}},
	{"what refers to an id finds it", func(p string) any {
		for _, m := range refs.FindAllStringSubmatch(p, -1) {
			if !strings.Contains(p, `id="`+m[1]+`"`) {
				return m[1]
			}
		}
		return false
	}},
	{"nothing in it is a script or a style", func(p string) any { return handlers.FindString(p) != "" }},
	{"nothing was dropped by the template", func(p string) any { return strings.Contains(p, "ZgotmplZ") }},
	{"elements that begin also end", func(p string) any {
		for _, e := range []string{"section", "table", "tbody", "tr", "td", "th", "form", "details", "summary", "ul", "ol", "li", "dl", "dd", "dt", "p", "a", "span", "div", "main", "nav", "fieldset", "label", "button"} {
			if n, m := len(regexp.MustCompile("<"+e+`[ >]`).FindAllString(p, -1)), strings.Count(p, "</"+e+">"); n != m {
				return fmt.Sprintf("%d <%s>, %d </%s>", n, e, m, e)
			}
		}
		return false
	}},
}

func TestEveryPageIsSound(t *testing.T) {
	t.Parallel()
	for name, page := range everyPage(t) {
		for _, rule := range rules {
			if bad := rule.bad(page); bad != false {
				t.Errorf("%s: %q is broken: %v", name, rule.name, bad)
			}
		}
	}
}

// pairs are the colours that text and ground have together, and the contrast that they need.
var pairs = []struct {
	text, ground string
	least        float64
}{
	{"text", "page", 4.5}, {"text", "card", 4.5}, {"text", "code", 4.5}, {"text", "quiet-ground", 4.5},
	{"quiet", "page", 4.5}, {"quiet", "card", 4.5}, {"quiet", "quiet-ground", 4.5}, {"quiet", "code", 4.5},
	{"link", "page", 4.5}, {"link", "card", 4.5}, {"link", "bad-ground", 4.5},
	{"good", "good-ground", 4.5}, {"warn", "warn-ground", 4.5}, {"bad", "bad-ground", 4.5}, {"busy", "busy-ground", 4.5},
	{"warn", "card", 4.5}, {"bad", "card", 4.5}, {"bad", "page", 4.5}, {"action", "action-ground", 4.5},
	{"focus", "page", 3}, {"focus", "card", 3}, {"action-ground", "card", 3},
}

func TestContrast(t *testing.T) {
	t.Parallel()
	data, err := fs.ReadFile(static, "static/style.css")
	if err != nil {
		t.Fatal(err)
	}
	light, rest, ok := strings.Cut(string(data), "@media (prefers-color-scheme: dark)")
	dark, _, closed := strings.Cut(rest, "\n}")
	if !ok || !closed {
		t.Fatal("no dark colours")
	}
	for scheme, css := range map[string]string{"light": light, "dark": dark} {
		colours := map[string]float64{}
		for _, m := range regexp.MustCompile(`--([a-z-]+): #([0-9a-f]{6});`).FindAllStringSubmatch(css, -1) {
			colours[m[1]] = luminance(t, m[2])
		}
		for _, p := range pairs {
			a, b := colours[p.text], colours[p.ground]
			if ratio := (max(a, b) + 0.05) / (min(a, b) + 0.05); ratio < p.least {
				t.Errorf("%s: %s on %s has a contrast of %.2f, needs %.1f", scheme, p.text, p.ground, ratio, p.least)
			}
		}
	}
}

// luminance is the relative luminance of WCAG 2.
func luminance(t *testing.T, hex string) float64 {
	t.Helper()
	sum := 0.0
	for i, weight := range []float64{0.2126, 0.7152, 0.0722} {
		n, err := strconv.ParseUint(hex[2*i:2*i+2], 16, 8)
		if err != nil {
			t.Fatal(err)
		}
		c := float64(n) / 255
		if c <= 0.04045 {
			c /= 12.92
		} else {
			c = math.Pow((c+0.055)/1.055, 2.4)
		}
		sum += weight * c
	}
	return sum
}
