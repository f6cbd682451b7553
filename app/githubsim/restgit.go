package githubsim

import (
	"encoding/base64"
	"net/http"
	"strings"
)

func createBlob(c *call) reply {
	var in struct{ Content, Encoding string }
	c.read(&in)
	if in.Encoding == "base64" {
		raw, err := base64.StdEncoding.DecodeString(strings.ReplaceAll(in.Content, "\n", ""))
		if err != nil {
			panic(invalid("Blob", "content", "invalid", "content is not valid Base64"))
		}
		in.Content = string(raw)
	}
	id := c.repo.git.put("blob", in.Content)
	return created(object{"sha": id, "url": c.repo.api() + "/git/blobs/" + id})
}

type treeEntry struct {
	Path, Mode, Type string
	SHA              *string `json:"sha"`
	Content          *string `json:"content"`
}

func createTree(c *call) reply {
	var in struct {
		Base string `json:"base_tree"`
		Tree []treeEntry
	}
	c.read(&in)
	base := ""
	if in.Base != "" {
		if base = c.repo.git.resolve(in.Base, "tree"); base == "" {
			panic(fail(http.StatusUnprocessableEntity, "base_tree is not a valid tree oid"))
		}
	}
	var edits []entry
	for _, e := range in.Tree {
		edits = append(edits, entry{mode: e.Mode, id: c.repo.objectOf(e, base), path: e.Path})
	}
	id := c.repo.git.amend(base, edits)
	out := c.repo.viewTree(id, false)
	return created(out)
}

// objectOf returns the object id of a new entry and writes inline content. An entry without content and id removes an
// existing path.
func (r *Repository) objectOf(e treeEntry, base string) string {
	switch {
	case e.Content != nil:
		return r.git.put("blob", *e.Content)
	case e.SHA != nil && r.git.resolve(*e.SHA, "object") == "":
		panic(fail(http.StatusUnprocessableEntity, "tree.sha %s is not a valid object", *e.SHA))
	case e.SHA != nil:
		return *e.SHA
	}
	if _, there := r.git.at(base, e.Path); base == "" || !there {
		panic(fail(http.StatusUnprocessableEntity, "GitRPC::BadObjectState"))
	}
	return ""
}

func (r *Repository) viewTree(id string, deep bool) object {
	items := []object{}
	for _, e := range r.git.tree(id, deep) {
		item := object{"path": e.path, "mode": e.mode, "type": e.kind(), "sha": e.id}
		switch e.kind() {
		case "blob":
			item["size"], item["url"] = len(r.git.blob(e.id)), r.api()+"/git/blobs/"+e.id
		case "tree":
			item["url"] = r.api() + "/git/trees/" + e.id
		}
		items = append(items, item)
	}
	return object{"sha": id, "url": r.api() + "/git/trees/" + id, "tree": items, "truncated": false}
}

func getTree(c *call) reply {
	id := c.repo.git.resolve(c.r.PathValue("tree_sha"), "tree")
	if id == "" {
		panic(errNotFound)
	}
	_, deep := c.query()["recursive"]
	out := c.repo.viewTree(id, deep)
	return ok(out)
}

// createCommit writes a commit of the caller, which GitHub signs if it is an App.
func createCommit(c *call) reply {
	var in struct {
		Message, Tree string
		Parents       []string
	}
	c.read(&in)
	if c.repo.git.resolve(in.Tree, "tree") == "" {
		panic(fail(http.StatusUnprocessableEntity, "Tree SHA does not exist"))
	}
	for _, parent := range in.Parents {
		if c.repo.git.resolve(parent, "commit") == "" {
			panic(fail(http.StatusUnprocessableEntity, "Parent SHA does not exist or is not a commit object"))
		}
	}
	who := c.s.signature(c.who.login)
	id := c.repo.git.putCommit(commit{tree: in.Tree, parents: in.Parents, message: in.Message, author: who, committer: who})
	c.repo.verified[id] = isBot(c.who.login)
	return created(c.repo.viewGitCommit(c.repo.git.commit(id)))
}

func getGitCommit(c *call) reply {
	id := c.repo.git.resolve(c.r.PathValue("commit_sha"), "commit")
	if id == "" {
		panic(errNotFound)
	}
	return ok(c.repo.viewGitCommit(c.repo.git.commit(id)))
}

func (r *Repository) viewRef(ref, id string) object {
	return object{
		"ref": ref, "node_id": node("Ref", ref), "url": r.api() + "/git/" + ref,
		"object": object{"type": "commit", "sha": id, "url": r.api() + "/git/commits/" + id},
	}
}

func getRef(c *call) reply {
	ref := "refs/" + c.r.PathValue("ref")
	id := c.repo.git.resolve(ref, "object")
	if id == "" {
		panic(errNotFound)
	}
	return ok(c.repo.viewRef(ref, id))
}

func createRef(c *call) reply {
	var in struct{ Ref, SHA string }
	c.read(&in)
	if c.repo.Head(c.repo.trunk) == "" {
		panic(fail(http.StatusConflict, "Git Repository is empty."))
	}
	switch {
	case c.repo.git.resolve(in.Ref, "object") != "":
		panic(fail(http.StatusUnprocessableEntity, "Reference already exists"))
	case c.repo.git.resolve(in.SHA, "commit") == "":
		panic(fail(http.StatusUnprocessableEntity, "Object does not exist"))
	case !validRef(in.Ref):
		panic(fail(http.StatusUnprocessableEntity, "Reference name is not valid"))
	}
	c.repo.point(in.Ref, in.SHA, c.who.login)
	return created(c.repo.viewRef(in.Ref, in.SHA))
}

func updateRef(c *call) reply {
	var in struct {
		SHA   string
		Force bool
	}
	c.read(&in)
	ref := "refs/" + c.r.PathValue("ref")
	before, protection := c.repo.git.resolve(ref, "object"), c.repo.protection(strings.TrimPrefix(ref, "refs/heads/"))
	switch {
	case before == "":
		panic(fail(http.StatusUnprocessableEntity, "Reference does not exist"))
	case c.repo.git.resolve(in.SHA, "commit") == "":
		panic(fail(http.StatusUnprocessableEntity, "Object does not exist"))
	case protection != "":
		panic(fail(http.StatusUnprocessableEntity, "%s", protection))
	case !in.Force && !c.repo.git.ancestor(before, in.SHA):
		panic(fail(http.StatusUnprocessableEntity, "Update is not a fast forward"))
	}
	c.repo.point(ref, in.SHA, c.who.login)
	return ok(c.repo.viewRef(ref, in.SHA))
}

func deleteRef(c *call) reply {
	ref := "refs/" + c.r.PathValue("ref")
	if c.repo.git.resolve(ref, "object") == "" {
		panic(fail(http.StatusUnprocessableEntity, "Reference does not exist"))
	}
	if c.repo.protected[strings.TrimPrefix(ref, "refs/heads/")] != "" {
		panic(fail(http.StatusUnprocessableEntity, "Cannot delete this branch because it is protected."))
	}
	c.repo.point(ref, zero, c.who.login)
	return nothing()
}
