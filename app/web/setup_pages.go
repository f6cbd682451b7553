package web

import (
	"context"
	"crypto/rand"
	"net/http"
	"net/url"
	"strings"

	"github.com/causaldocs/causal/webhooks"
)

type setupForm struct {
	Token, Owner, Organisation, Host, Keep string

	Problem     string
	File        string // file for the credentials; empty if they are shown
	Fixed       bool   // the host cannot be changed
	Unreachable string // our own URL, if GitHub cannot reach it
	Grants      []Grant
	Events      []webhooks.Known
}

func (s *Setup) newForm(token string) setupForm {
	f := setupForm{Token: token, Owner: "user", Host: gitHub, Keep: "file", Grants: Grants, Events: webhooks.Events}
	if s.only != nil {
		f.Host, f.Fixed = s.only.String(), true
	}
	if s.o.Keeper != nil {
		f.File = s.o.Keeper.String()
	}
	if OnlyHere(s.server) {
		f.Unreachable = s.server.String()
	}
	return f
}

func (s *Setup) form(w http.ResponseWriter, r *http.Request) {
	token := r.URL.Query().Get("token")
	if !s.admit(r, token) {
		s.refuse(w, r, http.StatusForbidden, notInvited)
		return
	}
	s.show(w, r, http.StatusOK, view{Template: "setup", Title: "Set up causal", Content: s.newForm(token)})
}

// handover is the second page, with a button that sends the manifest to GitHub.
type handover struct {
	Action, Manifest, Host, Name, Owner string
}

func (s *Setup) begin(w http.ResponseWriter, r *http.Request) {
	f := s.newForm(formValue(w, r, "token"))
	if !s.admit(r, f.Token) {
		s.refuse(w, r, http.StatusForbidden, notInvited)
		return
	}
	f.Owner = r.PostFormValue("owner")
	if !f.Fixed { // otherwise the server would use another host after a restart
		f.Host = strings.TrimSpace(r.PostFormValue("host"))
	}
	f.Organisation, f.Keep = strings.TrimSpace(r.PostFormValue("organisation")), r.PostFormValue("keep")
	host, owner, problem := f.target()
	if problem != "" {
		f.Problem = problem
		s.show(w, r, http.StatusUnprocessableEntity, view{Template: "setup", Title: "Set up causal", Content: f})
		return
	}
	state := rand.Text()
	s.remember(state, attempt{host.String(), s.o.Keeper == nil || f.Keep == "show", s.o.Now().Add(stateLasts)})
	s.enter(w, state)
	m := newManifest(s.server, s.o.Webhook, owner)
	w.Header().Set("Content-Security-Policy", policy(" "+host.String()))
	w.Header().Set("Referrer-Policy", "strict-origin-when-cross-origin") // GitHub rejects forms without an origin
	s.show(w, r, http.StatusOK, view{Template: "setup_handover", Title: "Create the GitHub App", Content: handover{
		registration(host, owner, state), m.String(), host.Host, m.Name, owner,
	}})
}

func (f setupForm) target() (host *url.URL, owner, problem string) {
	host, err := GitHubServer(f.Host)
	if err != nil {
		return nil, "", err.Error()
	}
	if f.Owner != "organisation" {
		return host, "", ""
	}
	if !organisation.MatchString(f.Organisation) {
		return nil, "", "Write the organisation name as in its GitHub URL: letters, digits and hyphens."
	}
	return host, f.Organisation, ""
}

// finished is the last page, with the next steps.
type finished struct {
	Credentials Credentials
	Install     string // URL for installing the App
	File        string // the file with the credentials
	Environment string // the credentials, if shown
	Lost        string // why the credentials could not be stored
	Inactive    string // why the running server did not become the App
}

func (s *Setup) callback(w http.ResponseWriter, r *http.Request) {
	a, ok := s.take(r, r.URL.Query().Get("state"))
	if !ok {
		s.refuse(w, r, http.StatusForbidden, tooLate)
		return
	}
	code := r.URL.Query().Get("code")
	if code == "" {
		s.refuse(w, r, http.StatusBadRequest, "GitHub sent no code. Begin again.")
		return
	}
	s.finish.Lock()
	defer s.finish.Unlock()
	if s.Done() { // completed in another tab
		http.NotFound(w, r)
		return
	}
	// The code is valid once, so closing the page must not cancel the exchange.
	r = r.WithContext(context.WithoutCancel(r.Context()))
	c, err := s.o.Convert(r.Context(), a.host, code)
	if err != nil {
		s.o.Logger.ErrorContext(r.Context(), "set-up: exchange the code", "host", a.host, "error", err)
		s.refuse(w, r, http.StatusBadGateway, "GitHub did not hand out the credentials of the App: "+err.Error()+". Delete the App on GitHub and begin again.")
		return
	}
	c.Host = a.host
	s.close()
	s.show(w, r, http.StatusOK, view{Template: "setup_done", Title: "causal is set up", Content: s.settle(r, c, a.show)})
}

// close ends the set-up: the App exists, even if later steps fail.
func (s *Setup) close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.done = true
	clear(s.states)
}

// settle stores the credentials and activates the App. GitHub returns them only once, so they are shown if storing
// fails.
func (s *Setup) settle(r *http.Request, c Credentials, show bool) finished {
	f := finished{Credentials: c, Install: strings.TrimRight(c.URL, "/") + "/installations/new"}
	if !show {
		f.File = s.o.Keeper.String()
		if err := s.o.Keeper.Keep(r.Context(), c); err != nil {
			s.o.Logger.ErrorContext(r.Context(), "set-up", "app", c.Slug, "error", err)
			f.Lost, show = err.Error(), true
		}
	}
	if show {
		f.File, f.Environment = "", c.Environment()
	}
	if err := s.o.Activate(r.Context(), c); err != nil {
		s.o.Logger.ErrorContext(r.Context(), "set-up: activate", "app", c.Slug, "error", err)
		f.Inactive = err.Error()
	} else {
		s.o.Logger.InfoContext(r.Context(), "set-up: the server is a GitHub App now", "app", c.Slug, "host", c.Host)
	}
	return f
}
