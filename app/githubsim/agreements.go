package githubsim

import (
	"maps"
	"slices"
)

// hearing lists, per event, the permissions of which an App needs at least one to receive the event.
var hearing = map[string][]string{
	"push": {"contents"}, "create": {"contents"}, "delete": {"contents"}, "repository": {"metadata"}, "pull_request": {"pull_requests"},
	"merge_group": {"merge_queues"}, "check_run": {"checks"}, "check_suite": {"checks"}, "issue_comment": {"issues", "pull_requests"}, "pull_request_review": {"pull_requests"},
	"pull_request_review_comment": {"pull_requests"}, "pull_request_review_thread": {"pull_requests"},
}

func (i *installation) hears(event string) bool {
	allowed := slices.ContainsFunc(hearing[event], func(name string) bool { return name == "metadata" || i.permissions[name] != "" })
	return allowed && slices.Contains(i.events, event)
}

// Ask changes the permissions and events that the App requests. Removals take effect at once. An installation that
// would have to grant more keeps its permissions and events until its owner accepts.
func (s *Server) Ask(permissions map[string]string, events []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.app.Permissions, s.app.Events = maps.Clone(permissions), slices.Clone(events)
	for _, in := range s.installations {
		maps.DeleteFunc(in.permissions, func(name, _ string) bool { return permissions[name] == "" })
		in.events = slices.DeleteFunc(slices.Clone(in.events), func(event string) bool { return !slices.Contains(events, event) })
		if in.agreed() {
			in.permissions, in.events = maps.Clone(permissions), slices.Clone(events)
		}
	}
}

func (i *installation) agreed() bool {
	for name, level := range i.app.Permissions {
		if held := i.permissions[name]; held != level && held != "write" {
			return false
		}
	}
	return true
}

// Accept grants an installation's App everything that it requests, as the owner.
func (s *Server) Accept(owner string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	in := s.installationOf(s.account(owner))
	if in == nil {
		return
	}
	in.permissions, in.events = maps.Clone(s.app.Permissions), slices.Clone(s.app.Events)
	s.tellInstallation(in, "new_permissions_accepted")
}
