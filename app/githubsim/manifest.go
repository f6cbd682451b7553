package githubsim

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
)

type manifest struct {
	Name        string
	URL         string
	Redirect    string               `json:"redirect_url"`
	Hook        struct{ URL string } `json:"hook_attributes"`
	Permissions map[string]string    `json:"default_permissions"`
	Events      []string             `json:"default_events"`
	Public      bool
	Callbacks   []string `json:"callback_urls"`
}

// registerApp redirects the browser with a code, as GitHub does once the user accepts a manifest.
func (s *Server) registerApp(w http.ResponseWriter, r *http.Request) {
	owner := cmp.Or(r.PathValue("owner"), "octo") // the logged-in user
	var m manifest
	if err := json.Unmarshal([]byte(r.PostFormValue("manifest")), &m); err != nil || m.URL == "" || m.Redirect == "" {
		http.Error(w, "Invalid GitHub App configuration: the manifest needs url and redirect_url", http.StatusUnprocessableEntity)
		return
	}
	to, err := url.Parse(m.Redirect)
	if err != nil {
		http.Error(w, "Invalid GitHub App configuration: redirect_url must be a valid URL", http.StatusUnprocessableEntity)
		return
	}
	app := &App{
		ID: s.id(), Name: m.Name, Slug: slug(m.Name), Owner: owner, HomePage: m.URL, WebhookURL: m.Hook.URL, Permissions: m.Permissions,
		Events: m.Events, Callbacks: append([]string{}, m.Callbacks...), created: s.time(),
	}
	if err := app.complete(app.ID); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	app.Secret = fmt.Sprintf("%040x", s.id())
	code := fmt.Sprintf("%040x", s.id())
	s.manifests[code] = app
	query := to.Query()
	query.Set("code", code)
	if state := r.URL.Query().Get("state"); state != "" {
		query.Set("state", state)
	}
	to.RawQuery = query.Encode()
	http.Redirect(w, r, to.String(), http.StatusFound)
}

func slug(name string) string {
	return strings.Trim(strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			return r
		}
		return '-'
	}, lower(name)), "-")
}
