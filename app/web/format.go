package web

import (
	"fmt"
	"html/template"
	"strconv"
	"strings"
	"time"

	"github.com/causaldocs/causal/webhooks/queue"
)

var functions = template.FuncMap{
	"asset":   asset,
	"badge":   badge,
	"short":   short,
	"moment":  seen,
	"took":    took,
	"since":   func(now, t time.Time) string { return lasting(now.Sub(t)) },
	"count":   count,
	"why":     why,
	"percent": func(share float64) string { return strconv.FormatFloat(100*share, 'f', -1, 64) + " %" },
}

var tones = map[string]string{
	"updated": "good", "proposed": "good", "fresh": "good", "told": "good", "valid": "good",
	"refused": "warn", "stale": "warn", "invalidated": "warn", "waiting": "warn", "lost": "warn",
	"failed": "bad", "dead": "bad",
	"running": "busy", "active": "busy", "queued": "busy",
}

type tagged struct{ Word, Tone string }

func badge(word any) tagged {
	w := fmt.Sprint(word)
	tone, ok := tones[w]
	if !ok {
		tone = "quiet"
	}
	return tagged{w, tone}
}

// why summarizes the causes of a run for a table row.
func why(causes []queue.Cause) string {
	switch len(causes) {
	case 0:
		return "not recorded"
	case 1:
		return causes[0].Event
	}
	return fmt.Sprintf("%s and %d more", causes[0].Event, len(causes)-1)
}

func short(sha string) string { return sha[:min(len(sha), 7)] }

type moment struct{ Instant, Stamp, Ago string }

func seen(now, t time.Time) moment {
	t = t.UTC()
	return moment{t.Format(time.RFC3339), t.Format("2006-01-02 15:04:05 UTC"), ago(now, t)}
}

func ago(now, t time.Time) string {
	d := now.Sub(t)
	if d < 0 {
		return "in " + lasting(-d)
	}
	if d < 10*time.Second {
		return "just now"
	}
	return lasting(d) + " ago"
}

var units = []struct {
	name  string
	size  time.Duration
	below time.Duration
}{
	{"s", time.Second, 2 * time.Minute},
	{"min", time.Minute, 2 * time.Hour},
	{"h", time.Hour, 48 * time.Hour},
	{"days", 24 * time.Hour, 1<<63 - 1},
}

func lasting(d time.Duration) string {
	for _, u := range units {
		if d < u.below {
			return fmt.Sprintf("%d %s", d/u.size, u.name)
		}
	}
	return ""
}

func took(from, to time.Time) string {
	d := to.Sub(from)
	switch {
	case to.IsZero():
		return ""
	case d < time.Second:
		return fmt.Sprintf("%d ms", d.Milliseconds())
	case d < 2*time.Minute:
		return fmt.Sprintf("%.1f s", d.Seconds())
	}
	return lasting(d)
}

func count(n int, one string) string {
	digits := strconv.Itoa(n)
	for i := len(digits) - 3; i > 0 && digits[i-1] != '-'; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	noun := one
	if n != 1 {
		noun = plural(one)
	}
	return strings.TrimSpace(digits + " " + noun)
}

func plural(noun string) string {
	if stem, ok := strings.CutSuffix(noun, "y"); ok {
		return stem + "ies"
	}
	if noun == "" {
		return ""
	}
	return noun + "s"
}
