package main

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	cdplog "github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// browser is a tab that shows a site, and what went wrong in it.
type browser struct {
	ctx  context.Context
	site *url.URL
	mu   sync.Mutex
	errs []string
}

// open serves a site and starts a browser; the test is skipped where there is none.
func open(t *testing.T, built string) *browser {
	t.Helper()
	path := os.Getenv("CAUSAL_CHROMIUM")
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "headless_shell", "chromium-headless-shell"} {
		if found, err := exec.LookPath(name); err == nil && path == "" {
			path = found
		}
	}
	if path == "" {
		t.Skip("no Chromium was found; install chromium, or name it in CAUSAL_CHROMIUM")
	}
	server := httptest.NewServer(http.FileServer(http.Dir(built)))
	t.Cleanup(server.Close)
	site, err := url.Parse(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	flags := []chromedp.ExecAllocatorOption{chromedp.ExecPath(path), chromedp.UserDataDir(t.TempDir())}
	for _, name := range []string{"headless", "no-sandbox", "disable-gpu", "disable-quic", "no-first-run", "disable-background-networking", "disable-component-update", "disable-sync", "disable-dev-shm-usage", "hide-scrollbars"} {
		flags = append(flags, chromedp.Flag(name, true))
	}
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewExecAllocator(ctx, flags...)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewContext(ctx)
	t.Cleanup(cancel)
	b := &browser{ctx: ctx, site: site}
	if err := chromedp.Listen(ctx, b.note); err != nil {
		t.Fatal(err)
	}
	b.do(t, chromedp.EmulateViewport(1280, 900), chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
		_, err := cdp.Call(ctx, target, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: openShadows})
		return err
	}))
	return b
}

// openShadows lets a script look into diagrams, which the theme hides from it.
const openShadows = `{
  const attach = Element.prototype.attachShadow
  Element.prototype.attachShadow = function () { return attach.call(this, {mode: "open"}) }
}`

// note keeps what no page may do: say something on the console, or ask another host.
func (b *browser) note(event any) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch e := event.(type) {
	case *runtime.EventConsoleAPICalled:
		b.errs = append(b.errs, fmt.Sprintf("console: %v", e.Type))
	case *runtime.EventExceptionThrown:
		b.errs = append(b.errs, "exception: "+e.ExceptionDetails.Text)
	case *cdplog.EventEntryAdded:
		b.errs = append(b.errs, fmt.Sprintf("%s: %s %s", e.Entry.Source, e.Entry.Text, e.Entry.URL))
	case *network.EventRequestWillBeSent:
		if u, err := url.Parse(e.Request.URL); err == nil && u.Scheme != "data" && u.Scheme != "blob" && u.Host != b.site.Host {
			b.errs = append(b.errs, "asked "+e.Request.URL)
		}
	}
}

// wrong takes what was noted.
func (b *browser) wrong() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	out := b.errs
	b.errs = nil
	return out
}

func (b *browser) do(t *testing.T, steps ...chromedp.Action[chromedp.Void]) {
	t.Helper()
	if err := chromedp.Do(b.ctx, steps...); err != nil {
		t.Fatal(err)
	}
}

// look judges a page in light and in dark, and keeps pictures: in the directory that CAUSAL_SCREENSHOTS names, or with what the test leaves.
func (b *browser) look(t *testing.T, name, path string) {
	t.Helper()
	dir := cmp.Or(os.Getenv("CAUSAL_SCREENSHOTS"), t.ArtifactDir())
	shades := map[string]bool{}
	for _, scheme := range []string{"light", "dark"} {
		b.do(t, chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
			_, err := cdp.Call(ctx, target, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
				Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}},
			})
			return err
		}), chromedp.Navigate(b.site.String()+"/"+path))
		seen := b.judge(t, name+" in "+scheme)
		shades[seen.Shade] = true
		picture, err := chromedp.Run(b.ctx, chromedp.FullScreenshot(100))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name+"-"+scheme+".png"), picture, 0o644); err != nil {
			t.Fatal(err)
		}
		b.do(t, chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
			_, err := cdp.Call(ctx, target, runtime.Evaluate, runtime.EvaluateParams{Expression: "localStorage.clear()"})
			return err
		}))
	}
	if len(shades) != 2 {
		t.Errorf("%s: it has the same shade in light and in dark: %v", name, shades)
	}
	for _, w := range b.wrong() {
		t.Errorf("%s: %s", name, w)
	}
}

// seen is what a script finds on a page.
type seen struct {
	Waiting, Drawn int      // diagrams
	Wrong          int      // of those
	Folded         int      // parts
	Shade          string   // of the page
	Pale           []string // texts that can hardly be told from what is behind them
}

func (b *browser) judge(t *testing.T, what string) seen {
	t.Helper()
	drawn := `document.querySelectorAll("pre.mermaid").length === 0 && document.readyState === "complete"`
	if _, err := chromedp.Run(b.ctx, chromedp.Poll[bool](drawn)); err != nil {
		t.Fatalf("%s: wait for the diagrams: %v", what, err)
	}
	s, err := chromedp.Run(b.ctx, chromedp.Evaluate[seen](judgement))
	if err != nil {
		t.Fatalf("%s: %v", what, err)
	}
	if s.Wrong > 0 || s.Waiting > 0 {
		t.Errorf("%s: of %d diagrams %d are not drawn and %d say that they are wrong", what, s.Drawn, s.Waiting, s.Wrong)
	}
	if strings.Contains(what, "module") && (s.Drawn == 0 || s.Folded == 0) {
		t.Errorf("%s: %d diagrams, %d folded parts: it shows too little", what, s.Drawn, s.Folded)
	}
	for _, p := range s.Pale {
		t.Errorf("%s: %s", what, p)
	}
	return s
}

// judgement looks at diagrams, and at the contrast of all texts outside of them. 3 to 1 is what large texts need, and marks of a theme have.
const judgement = `(() => {
  const parts = c => c.match(/[\d.]+/g).map(Number)
  const over = (top, under) => { const a = top[3] ?? 1; return [0, 1, 2].map(i => top[i] * a + under[i] * (1 - a)) }
  const behind = e => {
    if (!e) return [255, 255, 255]
    const c = parts(getComputedStyle(e).backgroundColor)
    return (c[3] ?? 1) === 1 ? c : over(c, behind(e.parentElement))
  }
  const light = c => { const [r, g, b] = c.map(v => (v /= 255) <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4); return 0.2126 * r + 0.7152 * g + 0.0722 * b }
  const pale = new Set()
  const texts = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT)
  while (texts.nextNode()) {
    const text = texts.currentNode.data.trim(), e = texts.currentNode.parentElement
    if (!text || e.closest(".headerlink, script, style, .md-top") || !e.checkVisibility({opacityProperty: true, visibilityProperty: true})) continue
    const under = behind(e), [a, b] = [light(over(parts(getComputedStyle(e).color), under)), light(under)]
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)
    if (ratio < 3) pale.add(e.className + " " + text.slice(0, 40) + " has a contrast of " + ratio.toFixed(1))
  }
  const diagrams = [...document.querySelectorAll(".mermaid")]
  const drawings = diagrams.map(d => (d.shadowRoot ?? d).querySelector("svg"))
  return {
    Waiting: drawings.filter(d => !d).length, Drawn: drawings.filter(d => d).length,
    Wrong: drawings.filter(d => d && /Syntax error/.test(d.textContent)).length,
    Folded: document.querySelectorAll("article details").length,
    Shade: getComputedStyle(document.body).backgroundColor,
    Pale: [...pale],
  }
})()`
