// Package webtest is a browser for tests of pages: it shows them, and tells what went wrong in it.
package webtest

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	cdplog "github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// Browser is a tab of Chromium.
type Browser struct {
	Context context.Context
	hosts   []string
	mu      sync.Mutex
	wrong   []string
}

// patience is how long one test may look at pages.
const patience = 5 * time.Minute

// Open starts a browser, in which only these hosts may be asked; the test is skipped where there is none.
func Open(t *testing.T, hosts ...string) *Browser {
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
	flags := []chromedp.ExecAllocatorOption{chromedp.ExecPath(path), chromedp.UserDataDir(t.TempDir())}
	for _, name := range []string{"headless", "no-sandbox", "disable-gpu", "disable-quic", "no-first-run", "disable-background-networking", "disable-component-update", "disable-sync", "disable-dev-shm-usage", "hide-scrollbars"} {
		flags = append(flags, chromedp.Flag(name, true))
	}
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewExecAllocator(ctx, flags...)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewContext(ctx)
	t.Cleanup(cancel)
	b := &Browser{Context: ctx, hosts: hosts}
	if err := chromedp.Listen(ctx, b.note); err != nil {
		t.Fatal(err)
	}
	return b
}

// note keeps what no page may do: say something on the console, break its policy, ask another host.
func (b *Browser) note(event any) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch e := event.(type) {
	case *runtime.EventConsoleAPICalled:
		b.wrong = append(b.wrong, fmt.Sprintf("console: %v", e.Type))
	case *runtime.EventExceptionThrown:
		b.wrong = append(b.wrong, "exception: "+e.ExceptionDetails.Text)
	case *cdplog.EventEntryAdded:
		b.wrong = append(b.wrong, fmt.Sprintf("%s: %s %s", e.Entry.Source, e.Entry.Text, e.Entry.URL))
	case *network.EventRequestWillBeSent:
		if u, err := url.Parse(e.Request.URL); err == nil && u.Scheme != "data" && u.Scheme != "blob" && !slices.Contains(b.hosts, u.Host) {
			b.wrong = append(b.wrong, "asked "+e.Request.URL)
		}
	}
}

// Wrong takes what went wrong since it was asked last.
func (b *Browser) Wrong() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	out := b.wrong
	b.wrong = nil
	return out
}

// Do does steps in the tab, or ends the test.
func (b *Browser) Do(t *testing.T, steps ...chromedp.Action[chromedp.Void]) {
	t.Helper()
	if err := chromedp.Do(b.Context, steps...); err != nil {
		t.Fatal(err)
	}
}

// Prefer makes the tab one of a reader who prefers a colour scheme, "light" or "dark".
func Prefer(scheme string) chromedp.Action[chromedp.Void] {
	return chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
		_, err := cdp.Call(ctx, target, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
			Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}},
		})
		return err
	})
}

// Picture writes a picture of the whole page to a file.
func (b *Browser) Picture(t *testing.T, file string) {
	t.Helper()
	picture, err := chromedp.Run(b.Context, chromedp.FullScreenshot(100))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, picture, 0o644); err != nil {
		t.Fatal(err)
	}
}
