package session_test

import (
	"context"
	"fmt"

	"github.com/causaldocs/causal/knowledge/fact"
	"github.com/causaldocs/causal/knowledge/frame"
	"github.com/causaldocs/causal/knowledge/session"
)

func scope(hashes map[string]string) map[string]session.FileRecord {
	files := map[string]session.FileRecord{}
	for path, hash := range hashes {
		files[path] = session.FileRecord{Path: path, Hash: hash, Role: session.Read}
	}
	return files
}

// loginSession is a session that looked at the code, then turned to the database.
func loginSession() session.Record {
	files := scope(map[string]string{"auth.go": "5d1e", "pool.go": "77ab"})
	prompt := "find the auth problem"
	tree := frame.NewTree(session.ID(prompt, files))
	root, _ := tree.Start(prompt, nil)
	auth, _ := tree.Refine(root, "focus on JWT", nil)
	_ = tree.Conclude(auth, "no expiry check", []fact.Observation{fact.File("auth.go", "5d1e")}, 0.9, `modified("auth.go")`)
	db, _ := tree.Pivot(auth, "could be the database", nil)
	_ = tree.Conclude(db, "the pool is exhausted", []fact.Observation{fact.File("pool.go", "77ab")}, 0.8, `modified("pool.go")`)
	return session.Record{
		Artifacts: session.Artifacts{SessionID: tree.SessionID(), InitialPrompt: prompt, Files: files, RootFrameID: root},
		Tree:      tree,
	}
}

// now re-checks files against what they hold now.
type now map[string]string

func (n now) Holds(o fact.Observation) (holds bool, why string, err error) {
	return n[o.Name] == o.Digest, o.Name + " changed", nil
}

// The next session on the same task learns what fell since, and which branch is worth taking up again.
func ExampleCompare() {
	earlier := loginSession()
	files := map[string]string{"auth.go": "5d1e", "pool.go": "9e0d"}
	comparison, err := session.Compare(context.Background(), earlier, session.Artifacts{
		InitialPrompt: "find the auth problem", Files: scope(files),
	}, now(files), func(string) (bool, string, error) { return false, "", nil })
	if err != nil {
		fmt.Println(err)
		return
	}
	query := func(id string) string {
		f, _ := earlier.Tree.Frame(id)
		return f.Query
	}
	fmt.Println("same task:", comparison.SamePrompt)
	fmt.Println("changed:", comparison.Changed)
	for _, fallen := range comparison.Fallen {
		fmt.Printf("fell: %s, because %s\n", query(fallen.FrameID), fallen.Why)
	}
	for _, id := range comparison.Resumable {
		fmt.Println("can be resumed:", query(id))
	}
	// Output:
	// same task: true
	// changed: [pool.go]
	// fell: could be the database, because pool.go changed
	// can be resumed: focus on JWT
}

// A session is kept as one YAML file.
func ExampleEncode() {
	data, err := session.Encode(loginSession())
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%s", data)
	// Output:
	// session_id: s-b8e2adf9d39f
	// initial_prompt: "find the auth problem"
	// root_frame_id: a21159bcb710230b
	// files:
	//   auth.go: {hash: "5d1e", role: read}
	//   pool.go: {hash: "77ab", role: read}
	// frames:
	// - frame_id: a21159bcb710230b
	//   depth: 0
	//   children: ["487c42e9356461df", ef84ecb69e991fca]
	//   query: "find the auth problem"
	//   status: active
	//   validity: valid
	// - frame_id: "487c42e9356461df"
	//   depth: 1
	//   parent_id: a21159bcb710230b
	//   query: "focus on JWT"
	//   evidence:
	//   - "file auth.go 5d1e"
	//   conclusion: "no expiry check"
	//   confidence: 0.9
	//   invalidation_condition: 'modified("auth.go")'
	//   status: suspended
	//   validity: valid
	// - frame_id: ef84ecb69e991fca
	//   depth: 1
	//   parent_id: a21159bcb710230b
	//   query: "could be the database"
	//   evidence:
	//   - "file pool.go 77ab"
	//   conclusion: "the pool is exhausted"
	//   confidence: 0.8
	//   invalidation_condition: 'modified("pool.go")'
	//   status: active
	//   branched_from: "487c42e9356461df"
	//   validity: valid
}

// What is broken in a file is named with its line.
func ExampleDecode() {
	_, err := session.Decode([]byte(`session_id: s-0123456789ab
root_frame_id: 00112233aabbccdd
frames:
- frame_id: 00112233aabbccdd
  depth: 0
  query: find the auth problem
  status: paused
  validity: valid
`))
	fmt.Println(err)
	// Output:
	// decode session: line 4: frame 00112233aabbccdd: unknown status "paused": it is active, suspended or completed
}
