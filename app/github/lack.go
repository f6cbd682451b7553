package github

import (
	"context"
	"fmt"
)

// Lack is what an installation does not give of what is wanted.
type Lack struct {
	Permissions Permissions
	Events      []string
	URL         string // where somebody mends it: the owner of the installation, or first the App's own
}

// Nothing reports whether all is there.
func (l Lack) Nothing() bool { return len(l.Permissions) == 0 && len(l.Events) == 0 }

// Lacks asks what an installation does not give of the wanted permissions and events: the App may ask for more than its owner
// has accepted yet. What the App does not ask for nobody can accept, so that it leads to the App's own settings.
func (a *App) Lacks(ctx context.Context, installation int64, want Setup) (Lack, error) {
	found, _, err := a.api.Apps.GetInstallation(ctx, installation)
	if err != nil {
		return Lack{}, a.opt.explain(ctx, fmt.Sprintf("look up installation %d", installation), "", err)
	}
	i := installationOf(found)
	out := Lack{Permissions: i.Permissions.lacks(want.Permissions), Events: silentOn(i.Events, want.Events)}
	if out.Nothing() {
		return Lack{}, nil
	}
	self, err := a.Self(ctx)
	if err != nil {
		return Lack{}, err
	}
	out.URL = orElse(i.URL, fmt.Sprintf("%s/settings/installations/%d", a.at.web, i.ID))
	if len(self.Permissions.lacks(want.Permissions)) > 0 || len(silentOn(self.Events, want.Events)) > 0 {
		out.URL = a.settings(self) + "/permissions"
	}
	return out, nil
}
