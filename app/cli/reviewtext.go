package cli

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/causaldocs/causal/app/answer"
	"github.com/causaldocs/causal/app/plain"
	"github.com/causaldocs/causal/app/report"
	"github.com/causaldocs/causal/knowledge/lazy"
	"github.com/causaldocs/causal/review/finding"
	"github.com/causaldocs/causal/review/sarif"
)

var formats = lazy.Value[map[string]func(world IO, root string, r *report.Review) error]{Make: func() map[string]func(world IO, root string, r *report.Review) error {
	return map[string]func(world IO, root string, r *report.Review) error{
		"text": func(world IO, _ string, r *report.Review) error {
			return world.answer(false, r, func() string { return answer.ReviewText(r) })
		},
		"json": func(world IO, _ string, r *report.Review) error { return world.answer(true, r, nil) },
		"sarif": func(world IO, _ string, r *report.Review) error {
			var b bytes.Buffer
			if err := sarif.Write(&b, r.Plain(), r.NotAnalysed, r.Failures()...); err != nil {
				return err
			}
			_, err := world.Out.Write(plain.JSON(b.Bytes()))
			return err
		},
		"github": func(world IO, _ string, r *report.Review) error { return annotateReview(world.runner, r) },
	}
}}

var runnerLevels = lazy.Value[map[finding.Severity]string]{Make: func() map[finding.Severity]string {
	return map[finding.Severity]string{finding.Error: "error", finding.Warning: "warning", finding.Note: "notice"}
}}

// annotateReview writes workflow commands unfiltered, because the runner must execute them.
func annotateReview(w io.Writer, r *report.Review) error {
	var b strings.Builder
	for _, f := range r.Coverage.Failed {
		b.WriteString("::error title=" + plain.Property(f.Check) + "::" + plain.Data(f.String()) + "\n")
	}
	for _, f := range r.Findings {
		where := "file=" + plain.File(f.Path) + ","
		if f.Severity == finding.Note { // appears beside no line
			where, f.Message = "", f.Path+": "+f.Message
		} else if f.Side == finding.Right {
			where += fmt.Sprintf("line=%d,endLine=%d,", f.Line, f.EndLine)
		}
		b.WriteString("::" + runnerLevels.Get()[f.Severity] + " " + where + "title=" + plain.Property(f.Rule) + "::" + plain.Data(f.Message) + "\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}
