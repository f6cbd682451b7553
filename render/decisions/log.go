package decisions

import (
	"fmt"
	"strings"

	"github.com/causaldocs/causal/knowledge/ledger"
	"github.com/causaldocs/causal/knowledge/markdown"
	"github.com/causaldocs/causal/knowledge/survey"
)

func toldOfCauses(r survey.Reader) (told, error) {
	value, err := r.Read(ledger.Causes)
	if err != nil {
		return told{}, err
	}
	h, ok := value.(ledger.History)
	if !ok {
		return told{}, fmt.Errorf("what happened is a %T", value)
	}
	return told{len(h.List) > 0, h.Problems, func(head string) string { return logText(h, head) }}, nil
}

func logText(h ledger.History, head string) string {
	w := &writer{}
	w.b.WriteString(head)
	w.line("# Log")
	w.doubt(h.Problems)
	w.line("Events of this project and their causes, newest first. Decisions are on the page of decisions.")
	month := ""
	for _, c := range h.List {
		if m := monthOf(c.Event); m != month {
			if month != "" {
				w.b.WriteByte('\n')
			}
			month = m
			w.line("## %s", markdown.Escape(m))
		}
		fmt.Fprintf(&w.b, "- **%s**%s\n", short(c.Event), besides(c.Event, &ledger.Event{Source: c.Event.Source}))
		for _, e := range c.Led {
			fmt.Fprintf(&w.b, "  - %s\n", short(e))
		}
		if c.More > 0 {
			fmt.Fprintf(&w.b, "  - and %d more\n", c.More)
		}
	}
	if h.More {
		w.line("\nOlder events are omitted.")
	} else {
		w.b.WriteByte('\n')
	}
	w.b.WriteString("---\n\n" + markdown.Code("causal log") + " lists everything that was recorded; " + markdown.Code("causal why <id>") + " shows the history of one.\n")
	return w.b.String()
}

func monthOf(e *ledger.Event) string {
	day, _, _ := strings.Cut(e.At, "T")
	if len(day) < len("2006-01") {
		return "Without a date"
	}
	return day[:len("2006-01")]
}
