package site

import (
	"cmp"
	"context"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"github.com/causaldocs/causal/app/webtest"
)

// browser is a tab that shows a site.
type browser struct {
	*webtest.Browser

	site string
}

// open serves a site and starts a browser. It skips the test without a browser.
func open(t *testing.T, built string) *browser {
	t.Helper()
	server := httptest.NewServer(http.FileServer(http.Dir(built)))
	t.Cleanup(server.Close)
	b := &browser{webtest.Open(t, server.Listener.Addr().String()), server.URL}
	b.Do(t, chromedp.EmulateViewport(1280, 900), chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
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

// look checks a page in the light and the dark scheme. Screenshots go to the directory CAUSAL_SCREENSHOTS, or to the artifacts of the
// test.
func (b *browser) look(t *testing.T, name, path string) {
	t.Helper()
	dir := cmp.Or(os.Getenv("CAUSAL_SCREENSHOTS"), t.ArtifactDir())
	shades := map[string]bool{}
	for _, scheme := range []string{"light", "dark"} {
		b.Do(t, webtest.Prefer(scheme), chromedp.Navigate(b.site+"/"+path))
		seen := b.judge(t, name+" in "+scheme)
		shades[seen.Shade] = true
		b.Picture(t, filepath.Join(dir, name+"-"+scheme+".png"))
		b.Do(t, chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
			_, err := cdp.Call(ctx, target, runtime.Evaluate, runtime.EvaluateParams{Expression: "localStorage.clear()"})
			return err
		}))
	}
	if len(shades) != 2 {
		t.Errorf("%s: the same background in both schemes: %v", name, shades)
	}
	for _, w := range b.Wrong() {
		t.Errorf("%s: %s", name, w)
	}
}

// seen is the result of the script on a page.
type seen struct {
	Waiting, Drawn int      // diagrams
	Wrong          int      // of those
	Folded         int      // parts
	Shade          string   // of the page
	Pale           []string // texts with too little contrast
}

func (b *browser) judge(t *testing.T, what string) seen {
	t.Helper()
	drawn := `document.querySelectorAll("pre.mermaid").length === 0 && document.readyState === "complete"`
	if _, err := chromedp.Run(b.Context, chromedp.Poll[bool](drawn)); err != nil {
		t.Fatalf("%s: wait for the diagrams: %v", what, err)
	}
	s, err := chromedp.Run(b.Context, chromedp.Evaluate[seen](judgement))
	if err != nil {
		t.Fatalf("%s: %v", what, err)
	}
	if s.Wrong > 0 || s.Waiting > 0 {
		t.Errorf("%s: of %d diagrams, %d are not drawn and %d have syntax errors", what, s.Drawn, s.Waiting, s.Wrong)
	}
	if strings.Contains(what, "module") && (s.Drawn == 0 || s.Folded == 0) {
		t.Errorf("%s: only %d diagrams, %d folded parts", what, s.Drawn, s.Folded)
	}
	for _, p := range s.Pale {
		t.Errorf("%s: %s", what, p)
	}
	return s
}

// judgement examines diagrams, and the contrast of all texts outside of diagrams. The minimum of 3 to 1 is that of the WCAG for large
// text.
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
