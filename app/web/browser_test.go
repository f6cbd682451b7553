package web

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"github.com/causaldocs/causal/app/webtest"
)

// phone is the narrowest screen that pages are made for.
const phone = 380

// browser is a tab without scripts.
type browser struct{ *webtest.Browser }

// open starts a browser; the test is skipped where there is none.
func open(t *testing.T, hosts ...string) *browser {
	t.Helper()
	b := &browser{webtest.Open(t, hosts...)}
	b.Do(t, chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
		_, err := cdp.Call(ctx, target, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true})
		return err
	}))
	return b
}

// press clicks and waits for the page that follows.
func (b *browser) press(t *testing.T, selector string) {
	t.Helper()
	if _, err := chromedp.RunResponse(b.Context, chromedp.Click(chromedp.CSS(selector))); err != nil {
		t.Fatalf("press %s: %v", selector, err)
	}
}

func (b *browser) write(t *testing.T, selector, text string) {
	t.Helper()
	b.Do(t, chromedp.SendKeys(chromedp.CSS(selector), text))
}

func (b *browser) html(t *testing.T) string {
	t.Helper()
	text, err := chromedp.Run(b.Context, chromedp.OuterHTML(chromedp.CSS("html")))
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// screens are what pages are looked at on.
var screens = []struct {
	name, scheme string
	width        int64
}{{"phone-light", "light", phone}, {"phone-dark", "dark", phone}, {"desk-light", "light", 1280}, {"desk-dark", "dark", 1280}}

// look judges the page that is shown on every screen, and keeps pictures when CAUSAL_SCREENSHOTS names a directory.
func (b *browser) look(t *testing.T, name string) {
	t.Helper()
	for _, s := range screens {
		b.Do(t, chromedp.EmulateViewport(s.width, 800), webtest.Prefer(s.scheme))
		layout, err := chromedp.Call(b.Context, page.GetLayoutMetrics, cdp.Empty{})
		if err != nil {
			t.Fatal(err)
		}
		if width := int64(layout.CSSContentSize.Width); width > s.width {
			t.Errorf("%s: %d pixels wide on a screen of %d", name, width, s.width)
		}
		if dir := os.Getenv("CAUSAL_SCREENSHOTS"); dir != "" {
			b.Picture(t, filepath.Join(dir, name+"-"+s.name+".png"))
		}
	}
	for _, w := range b.Wrong() {
		t.Errorf("%s: %s", name, w)
	}
}

// served is a handler on a host of its own, known before it is made.
func served(t *testing.T, handler func(address string) http.Handler) *url.URL {
	t.Helper()
	s := httptest.NewUnstartedServer(nil)
	address := "http://" + s.Listener.Addr().String()
	s.Config.Handler = handler(address)
	s.Start()
	t.Cleanup(s.Close)
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

func TestStatusPageInABrowser(t *testing.T) {
	t.Parallel()
	f := shop()
	full := served(t, func(string) http.Handler { return pagesOver(t, f, token) })
	empty := served(t, func(string) http.Handler { return pagesOver(t, &fake{}, token) })
	closed := served(t, func(string) http.Handler { return pagesOver(t, f, "") })
	b := open(t, full.Host, empty.Host, closed.Host)

	b.Do(t, chromedp.Navigate(full.JoinPath("/queue").String()))
	b.look(t, "login")
	b.write(t, "input[name=token]", token)
	b.press(t, "button.primary")
	if text := b.html(t); !strings.Contains(text, "<h1>Queue</h1>") {
		t.Fatalf("after the login: %s", text)
	}
	for _, c := range [][2]string{
		{"repositories", "/"}, {"runs", "/runs"}, {"runs-none", "/runs?repository=octo/none"}, {"run", "/runs/412"}, {"run-failed", "/runs/411"}, {"queue", "/queue"},
	} {
		b.Do(t, chromedp.Navigate(full.String()+c[1]))
		b.look(t, c[0])
	}
	b.press(t, "td form button")
	if text := b.html(t); !strings.Contains(text, "The job of run 411 is queued again.") || len(f.restarted) != 1 {
		t.Errorf("after the restart: %s", text)
	}
	b.look(t, "queue-restarted")
	b.press(t, ".logout button")
	if text := b.html(t); !strings.Contains(text, "<h1>Log in</h1>") {
		t.Errorf("after the logout: %s", text)
	}
	b.Do(t, chromedp.Navigate(closed.String()))
	b.look(t, "closed")

	b.Do(t, chromedp.Navigate(empty.JoinPath("/login").String()))
	b.write(t, "input[name=token]", token)
	b.press(t, "button.primary")
	for name, path := range map[string]string{"repositories-empty": "/", "runs-empty": "/runs", "queue-empty": "/queue"} {
		b.Do(t, chromedp.Navigate(empty.String()+path))
		b.look(t, name)
	}
}

func TestSetupInABrowser(t *testing.T) {
	t.Parallel()
	// GitHub's page, as far as the flow needs it: it takes the form and sends people back where the manifest says.
	host := served(t, func(string) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Method != http.MethodPost || r.URL.Path != "/organizations/octo/settings/apps/new" || !strings.Contains(r.PostFormValue("manifest"), `"name":"causal-octo"`) {
				http.Error(w, fmt.Sprintf("%s %s brought %v", r.Method, r.URL, r.PostForm), http.StatusBadRequest)
				return
			}
			back := r.Header.Get("Origin") + "/setup/callback?code=c0de&state=" + r.URL.Query().Get("state")
			http.Redirect(w, r, back, http.StatusFound)
		})
	})
	s := &stage{now: noon}
	ours := served(t, func(address string) http.Handler {
		s = newStage(t, func(o *SetupOptions) {
			o.URL, o.Logger = address, slog.New(slog.DiscardHandler)
		})
		return s
	})
	b := open(t, host.Host, ours.Host)
	b.Do(t, chromedp.Navigate(ours.String()))
	b.look(t, "setup-waiting")
	b.Do(t, chromedp.Navigate(s.Link()))
	b.look(t, "setup-form")
	b.Do(t, chromedp.Click(chromedp.CSS("input[value=organisation]")), chromedp.Click(chromedp.CSS("input[value=show]")))
	b.Do(t, chromedp.Clear(chromedp.CSS("input[name=host]")))
	b.write(t, "input[name=host]", host.String())
	b.press(t, "button.primary")
	if text := b.html(t); !strings.Contains(text, "Write the organisation") {
		t.Fatalf("without a name: %s", text)
	}
	for _, w := range b.Wrong() {
		if !strings.Contains(w, "422") { // which is what the browser says of any such answer
			t.Error(w)
		}
	}
	b.look(t, "setup-form-refused")
	b.write(t, "input[name=organisation]", "octo")
	b.press(t, "button.primary")
	b.look(t, "setup-handover")
	b.press(t, "button.primary")
	if text := b.html(t); !strings.Contains(text, "Install causal-octo") || !strings.Contains(text, "CAUSAL_GITHUB_PRIVATE_KEY=") || len(s.active) != 1 {
		t.Fatalf("after GitHub: %s", text)
	}
	b.look(t, "setup-done")
}

// TestTheBrowserTellsOfViolations shows that the tests above would notice what they say does not happen.
func TestTheBrowserTellsOfViolations(t *testing.T) {
	t.Parallel()
	bad := served(t, func(string) http.Handler {
		return secured(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			_, _ = w.Write([]byte(`<!doctype html><title>bad</title><link rel="icon" href="data:,"><style>p{}</style><img src="http://other.invalid/x.png" alt=""><p>x</p>`))
		}))
	})
	b := open(t, bad.Host)
	b.Do(t, chromedp.Navigate(bad.String()))
	b.html(t)
	var found []string
	for _, w := range b.Wrong() {
		found = append(found, cmp.Or(map[bool]string{true: "policy"}[strings.Contains(w, "Content Security Policy")], w))
	}
	if len(found) < 2 {
		t.Errorf("only noticed %v", found)
	}
}
