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

// People log in as users of the App, to show what GitHub lets them see.
type People struct {
	clientID, clientSecret string
	opt                    Options
	at                     endpoints
}

// NewPeople connects to nothing yet. The client's ID and secret are the App's, not those of a user.
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

// Authorize is where a person agrees, and is sent to redirect from, with a code and the given state.
func (p *People) Authorize(redirect, state string) string {
	return p.at.web + "/login/oauth/authorize?" + url.Values{"client_id": {p.clientID}, "redirect_uri": {redirect}, "state": {state}}.Encode()
}

const (
	exchangeTime = 10 * time.Second // somebody looks at an empty page meanwhile
	largestGrant = 64 << 10         // bytes of the answer to a code, which has some hundred
)

// Exchange gives the token for a code.
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
	resp, err := p.opt.Transport.RoundTrip(req) // which follows no redirect
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

// Visible are the repositories of installations that a person sees, by number.
type Visible struct {
	Reads  []int64
	Pushes []int64 // those of them that they may push to
}

// mostVisible is how many repositories are looked at for one person: a hundred requests, and at most one for each installation.
// Those beyond are not shown.
const mostVisible = 10_000

// Visible asks what the bearer of a token sees. It is ErrCredentials when the token does not count any more.
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

// add adds what a person sees of an installation.
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
