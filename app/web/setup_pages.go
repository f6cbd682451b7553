package web

import (
	"context"
	"net/http"
	"net/url"
	"strings"

	"github.com/causaldocs/causal/webhooks"
)

// setupForm is the first page: where the App is to be made, and what it will be allowed.
type setupForm struct {
	Token, Owner, Organisation, Host, Keep string

	Problem     string
	File        string // where credentials can be kept; empty: they are shown
	Fixed       bool   // the server was started for this host
	Unreachable string // our own address, when GitHub cannot reach it
	Grants      []Grant
	Events      []webhooks.Known
}

func (s *Setup) newForm(token string) setupForm {
	f := setupForm{Token: token, Owner: "user", Host: gitHub, Keep: "file", Grants: Grants, Events: Events()}
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

// handover is the second page: one button, which carries the manifest to GitHub.
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
	if !f.Fixed { // or the server would look for its App elsewhere at its next start
		f.Host = strings.TrimSpace(r.PostFormValue("host"))
	}
	f.Organisation, f.Keep = strings.TrimSpace(r.PostFormValue("organisation")), r.PostFormValue("keep")
	host, owner, problem := f.target()
	if problem != "" {
		f.Problem = problem
		s.show(w, r, http.StatusUnprocessableEntity, view{Template: "setup", Title: "Set up causal", Content: f})
		return
	}
	state, err := s.secret()
	if err != nil {
		s.o.Logger.ErrorContext(r.Context(), "set-up page", "error", err)
		s.refuse(w, r, http.StatusInternalServerError, "The server could not make a secret. The reason is in its log.")
		return
	}
	s.remember(state, attempt{host.String(), s.o.Keeper == nil || f.Keep == "show", s.o.Now().Add(stateLasts)})
	s.enter(w, state)
	m := newManifest(s.server, s.o.Webhook, owner)
	w.Header().Set("Content-Security-Policy", policy(" "+host.String()))
	w.Header().Set("Referrer-Policy", "strict-origin-when-cross-origin") // or GitHub would get a form from nowhere
	s.show(w, r, http.StatusOK, view{Template: "setup_handover", Title: "Create the GitHub App", Content: handover{
		registration(host, owner, state), m.String(), host.Host, m.Name, owner,
	}})
}

// target is where the App is to be made: the server and the organisation, which is empty for a user.
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

// finished is the last page: what to do next.
type finished struct {
	Credentials Credentials
	Install     string // where the App is installed on repositories
	File        string // where the credentials are kept
	Environment string // the credentials, when they are shown
	Lost        string // why they could not be kept
	Inactive    string // why the running server is not the App yet
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
	if s.Done() { // by another tab, meanwhile
		http.NotFound(w, r)
		return
	}
	// The code works once, so that nobody who closes the page may stop what it began.
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

// close ends the set-up: from here on there is an App, whatever else fails.
func (s *Setup) close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.done = true
	clear(s.states)
}

// settle keeps the credentials and makes the server the App. GitHub hands them out once, so that what cannot be kept is
// shown.
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
