package githubsim

import (
	"maps"
	"net/http"
	"slices"
	"time"
)

func getApp(c *call) reply { return ok(c.s.viewApp(c.s.app)) }

// convertManifest registers the App of an accepted manifest.
func convertManifest(c *call) reply {
	app, known := c.s.manifests[c.r.PathValue("code")]
	if !known || c.s.time().After(app.created.Add(time.Hour)) {
		panic(errNotFound)
	}
	delete(c.s.manifests, c.r.PathValue("code"))
	c.s.app = app
	c.s.tellPing()
	out := c.s.viewApp(app)
	maps.Copy(out, object{"client_id": app.ClientID, "client_secret": app.ClientSecret, "webhook_secret": app.Secret, "pem": app.PEM()})
	return created(out)
}

func (s *Server) viewHook() object {
	return object{"content_type": "json", "insecure_ssl": "0", "secret": "********", "url": s.app.WebhookURL}
}

func getHook(c *call) reply { return ok(c.s.viewHook()) }

func listInstallations(c *call) reply {
	return list(views(c.s.installations, c.s.viewInstallation))
}

func (c *call) installation() *installation {
	return one(c.s.installations, func(in *installation) bool { return in.id == c.number("installation_id") })
}

func getInstallation(c *call) reply {
	in := c.installation()
	return ok(c.s.viewInstallation(in))
}

func createToken(c *call) reply {
	in := c.installation()
	var ask struct {
		Repositories  []string          `json:"repositories"`
		RepositoryIDs []int64           `json:"repository_ids"`
		Permissions   map[string]string `json:"permissions"`
	}
	c.read(&ask)
	p := &principal{
		login: in.app.Bot(), by: in.app, installation: in, permissions: maps.Clone(in.permissions), expires: c.s.time().Add(time.Hour),
		selected: ask.Repositories != nil || ask.RepositoryIDs != nil,
	}
	p.repos = in.choose(ask.Repositories, ask.RepositoryIDs)
	if len(ask.Permissions) > 0 {
		in.grants(ask.Permissions)
		p.permissions = ask.Permissions
	}
	out := object{
		"token": c.s.issue("ghs_", p), "expires_at": stamp(p.expires), "permissions": p.permissions, "repository_selection": "selected",
	}
	if p.selected {
		out["repositories"] = views(p.repos, c.s.viewRepository)
	}
	return created(out)
}

// choose returns the requested repositories of an installation; nil means all.
func (i *installation) choose(names []string, ids []int64) []*Repository {
	if names == nil && ids == nil {
		return nil
	}
	repos := []*Repository{}
	for _, repo := range i.repos {
		if slices.Contains(names, repo.name) || slices.Contains(ids, repo.id) {
			repos = append(repos, repo)
		}
	}
	if len(repos) < max(len(names), len(ids)) {
		panic(fail(http.StatusUnprocessableEntity, "There is at least one repository that does not exist or is not accessible to the parent installation."))
	}
	return repos
}

func (i *installation) grants(asked map[string]string) {
	for name, level := range asked {
		if held := i.permissions[name]; held != level && held != "write" && !(name == "metadata" && level == "read") {
			panic(fail(http.StatusUnprocessableEntity, "The permissions requested are not granted to this installation."))
		}
	}
}

func listInstalled(c *call) reply {
	repos := c.who.repos
	if repos == nil {
		repos = c.who.installation.repos
	}
	return reply{status: http.StatusOK, items: views(repos, c.s.viewRepository), under: "repositories"}
}

func getLimits(c *call) reply {
	core := c.s.limits.view(c.s, c.who, "core")
	return ok(object{"rate": core, "resources": object{"core": core, "search": core, "graphql": c.s.limits.view(c.s, c.who, "graphql")}})
}

func listDeliveries(c *call) reply {
	status := c.query().Get("status")
	items := views(only(c.s.mail.log, func(d *Delivery) bool { return status == "" || status == "success" == d.delivered() }), (*Delivery).view)
	slices.Reverse(items)
	return reply{status: http.StatusOK, items: items, cursor: true}
}

func (c *call) delivery() *Delivery {
	return one(c.s.mail.log, func(d *Delivery) bool { return d.ID == c.number("delivery_id") })
}

func redeliver(c *call) reply {
	d := c.delivery()
	c.s.redeliver(d)
	return reply{status: http.StatusAccepted, body: object{}}
}
