package githubsim

import (
	"cmp"
	"fmt"
	"slices"
)

func (r *Repository) pullAPI(p *pull) string     { return fmt.Sprintf("%s/pulls/%d", r.api(), p.Number) }
func (r *Repository) pullHTML(number int) string { return fmt.Sprintf("%s/pull/%d", r.html(), number) }
func (r *Repository) issueAPI(number int) string { return fmt.Sprintf("%s/issues/%d", r.api(), number) }

func listPulls(c *call) reply {
	query := c.query()
	state := cmp.Or(query.Get("state"), "open")
	items := views(only(c.repo.pulls, func(p *pull) bool {
		head := p.from.owner + ":" + p.Head
		return (state == "all" || p.State == state) && matches(query.Get("head"), head) && matches(query.Get("base"), p.Base)
	}), c.repo.viewSimplePull)
	if query.Get("direction") != "asc" {
		slices.Reverse(items)
	}
	return list(items)
}

// matches compares a value with an optional filter.
func matches(filter, value string) bool { return filter == "" || filter == value }

func createPull(c *call) reply {
	var in pullRequest
	c.read(&in)
	return created(c.repo.viewPull(c.repo.openPull(in, c.who.login)))
}

func (c *call) pull(parameter string) *pull {
	return one(c.repo.pulls, func(p *pull) bool { return int64(p.Number) == c.number(parameter) })
}

func getPull(c *call) reply {
	return ok(c.repo.viewPull(c.pull("pull_number")))
}

func updatePull(c *call) reply {
	p := c.pull("pull_number")
	var in struct{ Title, Body, State *string }
	c.read(&in)
	if in.Title != nil || in.Body != nil {
		c.retitle(p, in.Title, in.Body)
	}
	if in.State != nil && *in.State != p.State {
		change := map[string]func(*pull, string){"closed": c.repo.closePull, "open": c.repo.reopenPull}[*in.State]
		change(p, c.who.login)
	}
	return ok(c.repo.viewPull(p))
}

func (c *call) retitle(p *pull, title, body *string) {
	changes := object{}
	if title != nil && *title != p.Title {
		changes["title"] = object{"from": p.Title}
		p.Title = *title
	}
	if body != nil && *body != p.Body {
		changes["body"] = object{"from": p.Body}
		p.Body = *body
	}
	if len(changes) == 0 {
		return
	}
	p.changed = c.s.time()
	c.s.tellPull(c.repo, p, "edited", object{"changes": changes}, c.who.login)
}

func listPullFiles(c *call) reply {
	p := c.pull("pull_number")
	changes := c.repo.git.diff(c.repo.git.mergeBase(p.BaseID, p.HeadID), p.HeadID)
	const most = 3000 // GitHub silently lists no more
	return list(c.repo.viewChanges(changes[:min(len(changes), most)], p.HeadID))
}
