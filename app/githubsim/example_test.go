package githubsim_test

import (
	"fmt"

	"github.com/causaldocs/causal/app/githubsim"
)

// A repository with the App on it, and a push: what a test of the bot begins with.
func Example() {
	hub, err := githubsim.New(githubsim.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer hub.Close()
	repo, err := hub.CreateRepository("octo/shop", githubsim.FromFiles(map[string]string{"README.md": "# Shop\n"}))
	if err != nil {
		fmt.Println(err)
		return
	}
	if _, err := hub.Install(repo); err != nil {
		fmt.Println(err)
		return
	}
	if _, err := repo.Push("feature", githubsim.Change{Write: map[string]string{"cart.go": "package shop\n"}, Message: "Add a cart"}); err != nil {
		fmt.Println(err)
		return
	}
	number, err := repo.OpenPull("feature", "main", "A cart", "octo")
	fmt.Println(number, err, len(hub.Violations()), len(hub.Writes(repo)))
	// Output: 1 <nil> 0 0
}
