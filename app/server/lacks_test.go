package server

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/causaldocs/causal/app/github"
)

func TestLacksAreRemembered(t *testing.T) {
	t.Parallel()
	now, asked := time.Unix(1000, 0), 0
	var failure error
	l := &lacks{now: func() time.Time { return now }, ask: func(context.Context, int64, github.Setup) (github.Lack, error) {
		asked++
		return github.Lack{URL: "u"}, failure
	}}
	ask := func(installation int64, want int) {
		t.Helper()
		if got, err := l.of(t.Context(), installation, github.Setup{}); !errors.Is(err, failure) || err == nil && got.URL != "u" || asked != want {
			t.Errorf("%+v, %v, asked %d times, want %d", got, err, asked, want)
		}
	}
	ask(1, 1)
	ask(1, 1)
	ask(2, 2)
	now = now.Add(lackFor)
	ask(1, 3)
	now = now.Add(-time.Hour) // the clock was set back
	ask(1, 4)
	failure = errors.New("502")
	ask(3, 5)
	ask(3, 6)
}
