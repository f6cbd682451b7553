package githubsim_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/bradleyfalzon/ghinstallation/v2"
	"github.com/google/go-github/v66/github"

	"github.com/causaldocs/causal/app/githubsim"
)

func TestAppKnowsItself(t *testing.T) {
	t.Parallel()
	h := start(t, githubsim.Options{App: &githubsim.App{Slug: "docs-bot", Owner: "acme"}})
	defer h.clean()
	c, ctx := h.app(), t.Context()
	app := must[*github.App](t)(c.Apps.Get(ctx, ""))
	if app.GetSlug() != "docs-bot" || app.GetPermissions().GetContents() != "write" || app.GetOwner().GetLogin() != "acme" {
		t.Errorf("app: %v", app)
	}
	installations := must[[]*github.Installation](t)(c.Apps.ListInstallations(ctx, nil))
	if len(installations) != 1 || installations[0].GetID() != h.installation {
		t.Errorf("installations: %v", installations)
	}
	if in := must[*github.Installation](t)(c.Apps.GetInstallation(ctx, h.installation)); in.GetAccount().GetLogin() != "octo" {
		t.Errorf("installation: %v", in)
	}
	repos := must[*github.ListRepositories](t)(h.bot().Apps.ListRepos(ctx, nil))
	if repos.GetTotalCount() != 1 || repos.Repositories[0].GetFullName() != "octo/shop" {
		t.Errorf("repositories: %v", repos)
	}
	h.SetWebhook("https://example.com/hook")
	if hook := must[*github.HookConfig](t)(c.Apps.GetHookConfig(ctx)); hook.GetURL() != "https://example.com/hook" || hook.GetContentType() != "json" {
		t.Errorf("hook: %v", hook)
	}
}

func TestTokensAreNarrow(t *testing.T) {
	t.Parallel()
	h := start(t, githubsim.Options{})
	defer h.clean()
	other, err := h.CreateRepository("octo/other", githubsim.FromFiles(files))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := h.Install(other); err != nil {
		t.Fatal(err)
	}
	narrow := h.client(nil).WithAuthToken(h.token(&github.InstallationPermissions{Contents: new("read")}))
	ctx := t.Context()
	must[*github.Repository](t)(narrow.Repositories.Get(ctx, "octo", "shop"))
	if _, _, err := narrow.Repositories.Get(ctx, "octo", "other"); status(err) != http.StatusNotFound {
		t.Errorf("a repository that the token is not for: %v", err)
	}
	if _, _, err := narrow.PullRequests.List(ctx, "octo", "shop", nil); status(err) != http.StatusForbidden {
		t.Errorf("a permission that the token does not have: %v", err)
	}
	ref := &github.Reference{Ref: new("refs/heads/x"), Object: &github.GitObject{SHA: new(h.repo.Head("main"))}}
	if _, _, err := narrow.Git.CreateRef(ctx, "octo", "shop", ref); status(err) != http.StatusForbidden {
		t.Errorf("writing with a token to read: %v", err)
	}
	if _, _, err := h.client(nil).Repositories.Get(ctx, "octo", "shop"); status(err) != http.StatusNotFound {
		t.Errorf("a private repository without a token: %v", err)
	}
	for _, options := range []*github.InstallationTokenOptions{
		{RepositoryIDs: []int64{1}}, {Permissions: &github.InstallationPermissions{Actions: new("write")}},
	} {
		if _, _, err := h.app().Apps.CreateInstallationToken(ctx, h.installation, options); status(err) != http.StatusUnprocessableEntity {
			t.Errorf("a token for too much: %v", err)
		}
	}
	h.Permit("octo", "contents", "read")
	less := &github.InstallationTokenOptions{Permissions: &github.InstallationPermissions{Contents: new("write")}}
	if _, _, err := h.app().Apps.CreateInstallationToken(ctx, h.installation, less); status(err) != http.StatusUnprocessableEntity {
		t.Errorf("a permission that was taken away: %v", err)
	}
	h.clock.Add(time.Hour)
	if _, _, err := narrow.Repositories.Get(ctx, "octo", "shop"); status(err) != http.StatusUnauthorized {
		t.Errorf("an expired token: %v", err)
	}
}

func TestSignatureOfTheAppIsChecked(t *testing.T) {
	t.Parallel()
	h := start(t, githubsim.Options{})
	defer h.clean()
	wrong := ghinstallation.NewAppsTransportFromPrivateKey(http.DefaultTransport, 1, h.PrivateKey())
	if _, _, err := h.client(&http.Client{Transport: wrong}).Apps.Get(t.Context(), ""); status(err) != http.StatusNotFound {
		t.Errorf("another App: %v", err)
	}
	for skew, says := range map[time.Duration]string{-5 * time.Minute: "'iat'", 30 * time.Minute: "'exp'"} {
		h.Skew(skew)
		if _, _, err := h.app().Apps.Get(t.Context(), ""); status(err) != http.StatusUnauthorized || !strings.Contains(err.Error(), says) {
			t.Errorf("clock %v ahead: %v", skew, err)
		}
	}
	h.Skew(0)
	must[*github.App](t)(h.app().Apps.Get(t.Context(), ""))
}

// The body that the transport sends without options is outside GitHub's description.
func TestTokenWithoutOptionsIsAViolation(t *testing.T) {
	t.Parallel()
	h := start(t, githubsim.Options{})
	apps := ghinstallation.NewAppsTransportFromPrivateKey(http.DefaultTransport, h.App().ID, h.PrivateKey())
	apps.BaseURL = h.APIURL()
	if _, err := ghinstallation.NewFromAppsTransport(apps, h.installation).Token(t.Context()); err == nil {
		t.Error("a body of null was taken")
	}
	if len(h.Violations()) != 1 {
		t.Errorf("violations: %v", h.Violations())
	}
}

func TestAppComesOfAManifest(t *testing.T) {
	t.Parallel()
	h := start(t, githubsim.Options{NoApp: true})
	defer h.clean()
	manifest, err := json.Marshal(object{
		"name": "My Docs", "url": "https://example.com", "redirect_url": h.URL() + "/callback?a=b", "hook_attributes": object{"url": "http://" + h.URL()[7:] + "/hook"},
		"default_permissions": object{"contents": "write"}, "default_events": []string{"push"},
	})
	if err != nil {
		t.Fatal(err)
	}
	browser := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	response, err := browser.PostForm(h.URL()+"/organizations/acme/settings/apps/new?state=s1", url.Values{"manifest": {string(manifest)}})
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	if _, err := io.ReadAll(response.Body); err != nil {
		t.Fatal(err)
	}
	back, err := response.Location()
	if err != nil {
		t.Fatal(err)
	}
	if back.Query().Get("state") != "s1" || back.Query().Get("a") != "b" {
		t.Errorf("back to %s", back)
	}
	code := back.Query().Get("code")
	config := must[*github.AppConfig](t)(h.client(nil).Apps.CompleteAppManifest(t.Context(), code))
	if config.GetSlug() != "my-docs" || config.GetOwner().GetLogin() != "acme" || config.GetWebhookSecret() == "" || !strings.Contains(config.GetPEM(), "RSA PRIVATE KEY") {
		t.Errorf("config: %v", config)
	}
	if _, _, err := h.client(nil).Apps.CompleteAppManifest(t.Context(), code); status(err) != http.StatusNotFound {
		t.Errorf("a code was taken twice: %v", err)
	}
	if app := must[*github.App](t)(h.app().Apps.Get(t.Context(), "")); app.GetID() != config.GetID() {
		t.Errorf("app: %v", app)
	}
}
