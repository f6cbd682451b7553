package main

import (
	"cmp"
	"fmt"
)

// figure is one line of a report: a number and its bound. Reports print no other numbers, so each of them can fail.
type figure struct {
	what, have, want string
	holds            bool
}

// exactly has one right value.
func exactly(what string, have, want int) figure {
	return figure{what, fmt.Sprint(have), fmt.Sprint(want), have == want}
}

// atLeast is of a trial that would prove nothing with less.
func atLeast(what string, have, least int) figure {
	return figure{what, fmt.Sprint(have), fmt.Sprintf("at least %d", least), have >= least}
}

func between(what string, have, least, most int) figure {
	return figure{what, fmt.Sprint(have), fmt.Sprintf("%d to %d", least, most), least <= have && have <= most}
}

// atMost is a measure with its limit.
func atMost[T cmp.Ordered](what string, have, most T) figure {
	return figure{what, fmt.Sprint(have), fmt.Sprintf("at most %v", most), have <= most}
}

// measured is the median, the least and the most of something that takes more than nothing.
func measured[T cmp.Ordered](what string, v [3]T, most T) figure {
	var nothing T
	return figure{what, fmt.Sprintf("%v (%v to %v)", v[0], v[1], v[2]), fmt.Sprintf("more than 0, at most %v", most), v[1] > nothing && v[2] <= most}
}

// show prints figures, and records those that exceed their bound.
func (t *stage) show(title string, list []figure) {
	rows := [][]any{{"", "is", "must be"}}
	for _, f := range list {
		rows = append(rows, []any{f.what, f.have, f.want})
		if !f.holds {
			t.fault("%s: %s: %s, must be %s", title, f.what, f.have, f.want)
		}
	}
	t.table(title, rows...)
}
