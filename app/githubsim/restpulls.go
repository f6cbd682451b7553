package githubsim

import (
	"fmt"
	"slices"
)

func (r *Repository) pullAPI(p *pull) string     { return fmt.Sprintf("%s/pulls/%d", r.api(), p.number) }
func (r *Repository) pullHTML(number int) string { return fmt.Sprintf("%s/pull/%d", r.html(), number) }
func (r *Repository) issueAPI(number int) string { return fmt.Sprintf("%s/issues/%d", r.api(), number) }

func listPulls(c *call) (reply, error) {
	query := c.query()
	state := query.Get("state")
	if state == "" {
		state = "open"
	}
	items := []object{}
	for _, p := range slices.Backward(c.repo.pulls) {
		head := p.from.owner + ":" + p.head
		if (state == "all" || p.state == state) && matches(query.Get("head"), head) && matches(query.Get("base"), p.base) {
			items = append(items, c.repo.viewSimplePull(p))
		}
	}
	if query.Get("direction") == "asc" {
		slices.Reverse(items)
	}
	return list(items)
}

// matches compares a value with an optional filter.
func matches(filter, value string) bool { return filter == "" || filter == value }

func createPull(c *call) (reply, error) {
	var in pullRequest
	if err := c.read(&in); err != nil {
		return reply{}, err
	}
	p, err := c.repo.openPull(in, c.who.login)
	if err != nil {
		return reply{}, err
	}
	out, err := c.repo.viewPull(p)
	if err != nil {
		return reply{}, err
	}
	return created(out)
}

func (c *call) pull() (*pull, error) {
	if p := c.repo.pull(c.number("pull_number")); p != nil {
		return p, nil
	}
	return nil, errNotFound
}

func (c *call) replyPull(p *pull) (reply, error) {
	out, err := c.repo.viewPull(p)
	if err != nil {
		return reply{}, err
	}
	return ok(out)
}

func getPull(c *call) (reply, error) {
	p, err := c.pull()
	if err != nil {
		return reply{}, err
	}
	return c.replyPull(p)
}

func updatePull(c *call) (reply, error) {
	p, err := c.pull()
	if err != nil {
		return reply{}, err
	}
	var in struct{ Title, Body, State, Base *string }
	if err := c.read(&in); err != nil {
		return reply{}, err
	}
	if in.Title != nil || in.Body != nil {
		if err := c.retitle(p, in.Title, in.Body); err != nil {
			return reply{}, err
		}
	}
	if in.Base != nil && *in.Base != p.base {
		if err := c.repo.rebasePull(p, *in.Base, c.who.login); err != nil {
			return reply{}, err
		}
	}
	if in.State != nil && *in.State != p.state {
		change := map[string]func(*pull, string) error{"closed": c.repo.closePull, "open": c.repo.reopenPull}[*in.State]
		if err := change(p, c.who.login); err != nil {
			return reply{}, err
		}
	}
	return c.replyPull(p)
}

func (c *call) retitle(p *pull, title, body *string) error {
	changes := object{}
	if title != nil && *title != p.title {
		changes["title"] = object{"from": p.title}
		p.title = *title
	}
	if body != nil && *body != p.body {
		changes["body"] = object{"from": p.body}
		p.body = *body
	}
	if len(changes) == 0 {
		return nil
	}
	p.changed = c.s.time()
	return c.s.tellPull(c.repo, p, "edited", object{"changes": changes}, c.who.login)
}

func listPullFiles(c *call) (reply, error) {
	p, err := c.pull()
	if err != nil {
		return reply{}, err
	}
	changes, err := c.repo.git.diff(c.repo.git.mergeBase(p.baseID, p.headID), p.headID)
	if err != nil {
		return reply{}, err
	}
	const most = 3000 // GitHub silently lists no more
	return list(c.repo.viewChanges(changes[:min(len(changes), most)], p.headID))
}
