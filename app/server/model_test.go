package server

import (
	"testing"

	"github.com/causaldocs/causal/app/model"
)

// TestModelPermissions: a repository gets the model only if the operator allows it.
func TestModelPermissions(t *testing.T) {
	t.Parallel()
	set := model.Settings{Name: "m"}
	for name, c := range map[string]struct {
		o    ModelOptions
		want bool
	}{
		"nobody":               {ModelOptions{Settings: set}, false},
		"the owner":            {ModelOptions{Settings: set, For: []string{"other", "Octo"}}, true},
		"the repository":       {ModelOptions{Settings: set, For: []string{"octo/shop"}}, true},
		"another repository":   {ModelOptions{Settings: set, For: []string{"octo/shopping"}}, false},
		"another owner":        {ModelOptions{Settings: set, For: []string{"oct"}}, false},
		"everybody":            {ModelOptions{Settings: set, For: []string{Everybody}}, true},
		"no model":             {ModelOptions{For: []string{Everybody}}, false},
		"a server without net": {ModelOptions{Settings: model.Settings{Name: "m", Offline: true}, For: []string{Everybody}}, false},
	} {
		if got := c.o.asks("octo", "shop"); got != c.want {
			t.Errorf("%s: %t", name, got)
		}
	}
	for entry, valid := range map[string]bool{"*": true, "octo": true, "octo/shop": true, "octo/*": false, "": false, "o c": false} {
		if err := CheckModelFor([]string{entry}); (err == nil) != valid {
			t.Errorf("%q: %v", entry, err)
		}
	}
}
