package github

import (
	"cmp"
	"context"
	"fmt"
)

// Lack lists the permissions and events that an installation is missing.
type Lack struct {
	Permissions Permissions
	Events      []string
	URL         string // where to fix it: the installation's settings, or the App's own if the App does not request them
}

// Nothing reports whether nothing is missing.
func (l Lack) Nothing() bool { return len(l.Permissions) == 0 && len(l.Events) == 0 }

// Lacks compares an installation with the wanted permissions and events. The owner may not have accepted a new request
// yet. If the App does not request them itself, the App's own settings have to change first.
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
	out.URL = cmp.Or(i.URL, fmt.Sprintf("%s/settings/installations/%d", a.at.web, i.ID))
	if len(self.Permissions.lacks(want.Permissions)) > 0 || len(silentOn(self.Events, want.Events)) > 0 {
		out.URL = a.settings(self) + "/permissions"
	}
	return out, nil
}
