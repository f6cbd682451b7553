package frame_test

import (
	"context"
	"fmt"

	"github.com/causaldocs/causal/knowledge/fact"
	"github.com/causaldocs/causal/knowledge/frame"
)

// worktree re-checks files against the digests that they have now.
type worktree map[string]string

func (w worktree) Holds(e fact.Observation) (bool, string, error) {
	if e.Family == fact.Files && w[e.Name] != e.Digest {
		return false, "changed", nil
	}
	return true, "", nil
}

// A question is split in two; one half is set aside when the cause turns out to lie elsewhere. Later the file that the
// other half rests on changes.
func Example() {
	tree := frame.NewTree("s-4c1f0aa90b12")
	check := func(err error) {
		if err != nil {
			fmt.Println(err)
		}
	}
	ask := func(id string, err error) string {
		check(err)
		return id
	}

	root := ask(tree.Start("find the auth problem", map[string]any{"log": "401 since Tuesday"}))
	auth := ask(tree.Refine(root, "focus on JWT", nil))
	db := ask(tree.Pivot(auth, "could be the database", nil))
	check(tree.Conclude(db, "the pool is exhausted", []fact.Observation{
		fact.File("internal/db/pool.go", "5d1e"),
		fact.Text("all 401 follow a timeout"),
	}, 0.9, `modified("internal/db/pool.go")`))
	check(tree.Conclude(root, "sessions are lost when the pool is exhausted", []fact.Observation{fact.Frame(db)},
		0.8, fmt.Sprintf("conclusion_changed(%q)", db)))

	for _, f := range tree.Frames() {
		fmt.Printf("%d %s: %s\n", f.Depth, f.Query, f.Status)
	}
	now := worktree{"internal/db/pool.go": "5d1e"}
	verification, err := tree.Verify(context.Background(), now)
	check(err)
	fmt.Println(verification)

	now["internal/db/pool.go"] = "77ab"
	verification, err = tree.Verify(context.Background(), now)
	check(err)
	fmt.Println(verification)
	// Output:
	// 0 find the auth problem: active
	// 1 focus on JWT: suspended
	// 1 could be the database: active
	// verified 2 of 2
	// verified 0 of 2
}

// A premise takes down what was asked within it; a conclusion takes down what was built on it, and nothing else.
func ExampleTree_InvalidateConclusion() {
	tree := frame.NewTree("s-1")
	root, _ := tree.Start("is login safe?", nil)
	code, _ := tree.Spawn(root, "read the code", nil)
	logs, _ := tree.Spawn(root, "read the logs", nil)
	detail, _ := tree.Spawn(code, "line 47", nil)
	_ = tree.Conclude(code, "no expiry check", []fact.Observation{fact.File("auth.go", "1")}, 0.9, `modified("auth.go")`)
	_ = tree.Conclude(root, "no", []fact.Observation{fact.Frame(code)}, 0.9, `modified("auth.go")`)

	show := func(title string) {
		fmt.Println(title)
		for _, f := range tree.Frames() {
			fmt.Printf("  %s: %s\n", f.Query, f.Validity)
		}
	}
	_, _ = tree.InvalidateConclusion(code, "there is an expiry check in refresh.go")
	show("conclusion of \"read the code\" changed:")
	_, _ = tree.InvalidatePremise(code, "auth.go changed")
	show("premise of \"read the code\" changed:")
	_, _ = logs, detail
	// Output:
	// conclusion of "read the code" changed:
	//   is login safe?: invalidated
	//   read the code: valid
	//   line 47: valid
	//   read the logs: valid
	// premise of "read the code" changed:
	//   is login safe?: invalidated
	//   read the code: invalidated
	//   line 47: invalidated
	//   read the logs: valid
}

// A branch that fell while it was set aside is taken up again once its condition no longer holds.
func ExampleTree_Resume() {
	tree := frame.NewTree("s-1")
	root, _ := tree.Start("why is login slow?", nil)
	_ = tree.Conclude(root, "the hash cost is 14", []fact.Observation{fact.File("hash.go", "1")}, 0.9, `modified("hash.go")`)
	_ = tree.Suspend(root)
	_, _ = tree.InvalidatePremise(root, "hash.go changed in 9e0d2c1")
	fmt.Println(tree.Resume(root) != nil)

	reverted := func(condition string) (bool, string, error) { return false, "hash.go is as it was", nil }
	fmt.Println(tree.Revalidate(root, reverted), tree.Resume(root))
	f, _ := tree.Frame(root)
	fmt.Println(f.Status, f.Validity)
	// Output:
	// true
	// <nil> <nil>
	// active valid
}

// Evidence is kept as text in a closed form.
func Example_evidence() {
	fmt.Println(fact.Symbol("money", "Parse", "77ab"))
	fmt.Println(fact.File("docs/read me.md", "5d1e"))
	e, err := fact.Parse("absent go.work")
	fmt.Println(e.Family, e.Name, err)
	// Output:
	// symbol money Parse 77ab
	// file "docs/read me.md" 5d1e
	// absent go.work <nil>
}
