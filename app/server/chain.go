package server

import (
	"fmt"
	"slices"

	"github.com/causaldocs/causal/app/bot"
	"github.com/causaldocs/causal/app/report"
	"github.com/causaldocs/causal/app/web"
	"github.com/causaldocs/causal/knowledge/frame"
	"github.com/causaldocs/causal/knowledge/session"
	"github.com/causaldocs/causal/webhooks/queue"
)

func chain(r queue.RunRow, d bot.Detail, repository string) []web.Step {
	root := web.Step{Kind: web.Pushed, Name: d.Cause}
	if r.Head != "" {
		root.URL = repository + "/commit/" + r.Head
	}
	for _, i := range d.Reasons {
		fell := web.Step{Kind: web.Invalidated, Name: i.Node, Because: i.Because, File: i.File, Detail: i.Detail}
		if slices.Contains(d.Reran, i.Node) {
			fell.Then = []web.Step{rerun(i, d)}
		}
		root.Then = append(root.Then, fell)
	}
	for _, p := range d.Pages {
		root.Then = append(root.Then, web.Step{Kind: web.Page, Name: p})
	}
	switch {
	case d.Commit != "":
		root.Then = append(root.Then, web.Step{Kind: web.Published, Name: d.Commit, URL: repository + "/commit/" + d.Commit})
	case d.Pull != "":
		root.Then = append(root.Then, web.Step{Kind: web.Published, Name: d.Pull, URL: d.Pull})
	}
	return []web.Step{root}
}

func rerun(i report.Invalidated, d bot.Detail) web.Step {
	out := web.Step{Kind: web.Rerun, Name: i.Node, Detail: "same content: dependent units did not change"}
	if slices.Contains(d.Changed, i.Node) {
		out.Detail = "result changed"
	}
	return out
}

func frames(text string) ([]frame.Frame, error) {
	if text == "" {
		return nil, nil
	}
	r, err := session.Decode([]byte(text))
	if err != nil {
		return nil, fmt.Errorf("read the frames: %w", err)
	}
	return r.Tree.Frames(), nil
}
