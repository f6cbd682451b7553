package githubsim

import (
	"net/http"
	"time"
)

type reaction struct {
	id      int64
	about   int64
	content string
	login   string
	made    time.Time
}

// Reactions lists the reactions to a conversation comment as "login content".
func (r *Repository) Reactions(comment int64) []string {
	r.s.mu.Lock()
	defer r.s.mu.Unlock()
	var out []string
	for _, one := range r.reactionsTo(comment) {
		out = append(out, one.login+" "+one.content)
	}
	return out
}

func (r *Repository) reactionsTo(comment int64) []*reaction {
	return only(r.reactions, func(one *reaction) bool { return one.about == comment })
}

var contents = []string{"+1", "-1", "laugh", "confused", "heart", "hooray", "rocket", "eyes"}

func (r *Repository) viewReactions(to string, comment int64) object {
	all := r.reactionsTo(comment)
	out := object{"url": to + "/reactions", "total_count": len(all)}
	for _, content := range contents {
		out[content] = len(only(all, func(one *reaction) bool { return one.content == content }))
	}
	return out
}

func (r *Repository) viewReaction(one *reaction) object {
	return object{
		"id": one.id, "node_id": node("Reaction", one.id), "user": r.s.viewLogin(one.login), "content": one.content, "created_at": stamp(one.made),
	}
}

func listReactions(c *call) reply {
	v := c.comment()
	found := only(c.repo.reactionsTo(v.ID), func(one *reaction) bool { return matches(c.query().Get("content"), one.content) })
	return list(views(found, c.repo.viewReaction))
}

// createReaction answers 200 if the reaction exists already, and 201 otherwise.
func createReaction(c *call) reply {
	v := c.comment()
	var in struct{ Content string }
	c.read(&in)
	for _, one := range c.repo.reactionsTo(v.ID) {
		if one.login == c.who.login && one.content == in.Content {
			return ok(c.repo.viewReaction(one))
		}
	}
	one := &reaction{id: c.s.id(), about: v.ID, content: in.Content, login: c.who.login, made: c.s.time()}
	c.repo.reactions = append(c.repo.reactions, one)
	return created(c.repo.viewReaction(one))
}

// getAccess returns a user's permission. Everyone can read a public repository.
func getAccess(c *call) reply {
	a, known := c.s.accounts[lower(c.r.PathValue("username"))]
	if !known {
		panic(fail(http.StatusNotFound, "%s is not a user", c.r.PathValue("username")))
	}
	reads, pushes := c.repo.member(a.login)
	level := "none"
	switch {
	case a.login == c.repo.owner:
		level = "admin"
	case pushes:
		level = "write"
	case reads || !c.repo.private:
		level = "read"
	}
	user := c.s.viewAccount(a)
	user["role_name"] = level
	return ok(object{"permission": level, "role_name": level, "user": user})
}
