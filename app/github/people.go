package github

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	gh "github.com/google/go-github/v66/github"
)

// People authenticates users of the App by OAuth to find out which repositories they can access.
type People struct {
	clientID, clientSecret string
	opt                    Options
	at                     endpoints
}

// NewPeople makes no request. The client ID and secret belong to the App.
func NewPeople(clientID, clientSecret string, o Options) (*People, error) {
	at, err := endpointsOf(o.BaseURL)
	if err != nil {
		return nil, err
	}
	if clientID == "" || clientSecret == "" {
		return nil, errors.New("there is no client ID or no client secret of the App")
	}
	return &People{clientID: clientID, clientSecret: clientSecret, opt: o.filled(), at: at}, nil
}

// Authorize returns the URL of GitHub's authorization page, which redirects with a code and the given state.
func (p *People) Authorize(redirect, state string) string {
	return p.at.web + "/login/oauth/authorize?" + url.Values{"client_id": {p.clientID}, "redirect_uri": {redirect}, "state": {state}}.Encode()
}

const (
	exchangeTime = 10 * time.Second // the user sees an empty page meanwhile
	largestGrant = 64 << 10         // bytes; an answer has some hundred
)

// Exchange exchanges a code for a user token.
func (p *People) Exchange(ctx context.Context, code, redirect string) (string, error) {
	const doing = "exchange the code of a login"
	ctx, cancel := context.WithTimeout(ctx, exchangeTime)
	defer cancel()
	form := url.Values{"client_id": {p.clientID}, "client_secret": {p.clientSecret}, "code": {code}, "redirect_uri": {redirect}}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, p.at.web+"/login/oauth/access_token", strings.NewReader(form.Encode()))
	if err != nil {
		return "", fmt.Errorf("%s: %w", doing, err)
	}
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	req.Header.Set("Accept", "application/json")
	resp, err := p.opt.Transport.RoundTrip(req)
	if err != nil {
		return "", &Error{Kind: ErrUnavailable, Doing: doing, Said: Redact(err.Error())}
	}
	defer resp.Body.Close()
	var answer struct {
		Token       string `json:"access_token"`
		Description string `json:"error_description"`
	}
	err = json.NewDecoder(io.LimitReader(resp.Body, largestGrant)).Decode(&answer)
	switch {
	case resp.StatusCode >= http.StatusInternalServerError:
		return "", &Error{Kind: ErrUnavailable, Doing: doing, Said: resp.Status}
	case resp.StatusCode != http.StatusOK || err != nil:
		return "", &Error{Kind: ErrRefused, Doing: doing, Said: resp.Status}
	case answer.Token == "":
		return "", &Error{Kind: ErrCredentials, Doing: doing, Said: Redact(answer.Description)}
	}
	return answer.Token, nil
}

// Visible lists the repositories of the App's installations that a user can access, by id.
type Visible struct {
	Reads  []int64
	Pushes []int64
}

// mostVisible bounds the repositories listed for one user: a hundred requests, plus at most one for each installation.
// Further repositories are not shown.
const mostVisible = 10_000

// Visible lists the repositories that a user token can access. It fails with ErrCredentials if the token is no longer
// valid.
func (p *People) Visible(ctx context.Context, token string) (Visible, error) {
	api := connect(p.at, &patient{next: &bearer{next: p.opt.Transport, source: fixedToken(token)}, opt: p.opt, gate: newGate()})
	var installations []int64
	err := paged(func(page gh.ListOptions) (*gh.Response, error) {
		found, resp, err := api.Apps.ListUserInstallations(ctx, &page)
		for _, i := range found {
			if i.SuspendedAt == nil {
				installations = append(installations, i.GetID())
			}
		}
		return resp, err
	})
	out := Visible{Reads: []int64{}, Pushes: []int64{}}
	for _, id := range installations {
		if err == nil && len(out.Reads) < mostVisible {
			err = out.add(ctx, api, id)
		}
	}
	if err != nil {
		return Visible{}, p.opt.explain(ctx, "list the repositories of a user", "", err)
	}
	return out, nil
}

func (v *Visible) add(ctx context.Context, api *gh.Client, installation int64) error {
	return paged(func(page gh.ListOptions) (*gh.Response, error) {
		found, resp, err := api.Apps.ListUserRepos(ctx, installation, &page)
		if err != nil {
			return resp, err
		}
		for _, r := range found.Repositories {
			v.Reads = append(v.Reads, r.GetID())
			if r.GetPermissions()["push"] {
				v.Pushes = append(v.Pushes, r.GetID())
			}
		}
		if len(v.Reads) >= mostVisible {
			resp.NextPage = 0
		}
		return resp, nil
	})
}
