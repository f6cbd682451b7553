package githubsim

import (
	"encoding/base64"
	"net/http"
	"strings"
)

func createBlob(c *call) (reply, error) {
	var in struct{ Content, Encoding string }
	if err := c.read(&in); err != nil {
		return reply{}, err
	}
	if in.Encoding == "base64" {
		raw, err := base64.StdEncoding.DecodeString(strings.ReplaceAll(in.Content, "\n", ""))
		if err != nil {
			return reply{}, invalid("Blob", "content", "invalid", "content is not valid Base64")
		}
		in.Content = string(raw)
	}
	id, err := c.repo.git.put("blob", in.Content)
	if err != nil {
		return reply{}, err
	}
	return created(object{"sha": id, "url": c.repo.api() + "/git/blobs/" + id})
}

type treeEntry struct {
	Path, Mode, Type string
	SHA              *string `json:"sha"`
	Content          *string `json:"content"`
}

func createTree(c *call) (reply, error) {
	var in struct {
		Base string `json:"base_tree"`
		Tree []treeEntry
	}
	if err := c.read(&in); err != nil {
		return reply{}, err
	}
	base := ""
	if in.Base != "" {
		if base = c.repo.git.resolve(in.Base, "tree"); base == "" {
			return reply{}, fail(http.StatusUnprocessableEntity, "base_tree is not a valid tree oid")
		}
	}
	var edits []entry
	for _, e := range in.Tree {
		id, err := c.repo.objectOf(e, base)
		if err != nil {
			return reply{}, err
		}
		edits = append(edits, entry{mode: e.Mode, id: id, path: e.Path})
	}
	id, err := c.repo.git.amend(base, edits)
	if err != nil {
		return reply{}, err
	}
	out, err := c.repo.viewTree(id, false)
	if err != nil {
		return reply{}, err
	}
	return created(out)
}

// objectOf returns the object id of a new entry and writes inline content. An entry without content and id removes an
// existing path.
func (r *Repository) objectOf(e treeEntry, base string) (string, error) {
	switch {
	case e.Content != nil:
		return r.git.put("blob", *e.Content)
	case e.SHA != nil && r.git.resolve(*e.SHA, "object") == "":
		return "", fail(http.StatusUnprocessableEntity, "tree.sha %s is not a valid object", *e.SHA)
	case e.SHA != nil:
		return *e.SHA, nil
	}
	if _, there := r.git.at(base, e.Path); base == "" || !there {
		return "", fail(http.StatusUnprocessableEntity, "GitRPC::BadObjectState")
	}
	return "", nil
}

func (r *Repository) viewTree(id string, deep bool) (object, error) {
	entries, err := r.git.tree(id, deep)
	if err != nil {
		return nil, err
	}
	items := []object{}
	for _, e := range entries {
		item := object{"path": e.path, "mode": e.mode, "type": e.kind(), "sha": e.id}
		switch e.kind() {
		case "blob":
			content, err := r.git.blob(e.id)
			if err != nil {
				return nil, err
			}
			item["size"], item["url"] = len(content), r.api()+"/git/blobs/"+e.id
		case "tree":
			item["url"] = r.api() + "/git/trees/" + e.id
		}
		items = append(items, item)
	}
	return object{"sha": id, "url": r.api() + "/git/trees/" + id, "tree": items, "truncated": false}, nil
}

func getTree(c *call) (reply, error) {
	id := c.repo.git.resolve(c.params["tree_sha"], "tree")
	if id == "" {
		return reply{}, errNotFound
	}
	_, deep := c.query()["recursive"]
	out, err := c.repo.viewTree(id, deep)
	if err != nil {
		return reply{}, err
	}
	return ok(out)
}

// createCommit writes a commit. GitHub signs only the commits of an App that sets no author or committer.
func createCommit(c *call) (reply, error) {
	var in struct {
		Message, Tree     string
		Parents           []string
		Author, Committer *signature
	}
	if err := c.read(&in); err != nil {
		return reply{}, err
	}
	if c.repo.git.resolve(in.Tree, "tree") == "" {
		return reply{}, fail(http.StatusUnprocessableEntity, "Tree SHA does not exist")
	}
	for _, parent := range in.Parents {
		if c.repo.git.resolve(parent, "commit") == "" {
			return reply{}, fail(http.StatusUnprocessableEntity, "Parent SHA does not exist or is not a commit object")
		}
	}
	author := c.s.signature(c.who.login)
	sign := in.Author == nil && in.Committer == nil && isBot(c.who.login)
	if in.Author != nil {
		author = in.Author.from(author)
	}
	committer := author
	if in.Committer != nil {
		committer = in.Committer.from(author)
	}
	id, err := c.repo.git.putCommit(commit{tree: in.Tree, parents: in.Parents, message: in.Message, author: author, committer: committer})
	if err != nil {
		return reply{}, err
	}
	c.repo.verified[id] = c.repo.verified[id] || sign
	made, err := c.repo.git.commit(id)
	if err != nil {
		return reply{}, err
	}
	return created(c.repo.viewGitCommit(made))
}

func (s signature) from(other signature) signature {
	if s.Name == "" {
		s.Name = other.Name
	}
	if s.Email == "" {
		s.Email = other.Email
	}
	if s.Date.IsZero() {
		s.Date = other.Date
	}
	return s
}

func getGitCommit(c *call) (reply, error) {
	id := c.repo.git.resolve(c.params["commit_sha"], "commit")
	if id == "" {
		return reply{}, errNotFound
	}
	commit, err := c.repo.git.commit(id)
	if err != nil {
		return reply{}, err
	}
	return ok(c.repo.viewGitCommit(commit))
}

func (r *Repository) viewRef(ref, id string) object {
	return object{
		"ref": ref, "node_id": node("Ref", ref), "url": r.api() + "/git/" + ref,
		"object": object{"type": "commit", "sha": id, "url": r.api() + "/git/commits/" + id},
	}
}

func getRef(c *call) (reply, error) {
	ref := "refs/" + c.params["ref"]
	id := c.repo.git.resolve(ref, "object")
	if id == "" {
		return reply{}, errNotFound
	}
	return ok(c.repo.viewRef(ref, id))
}

func createRef(c *call) (reply, error) {
	var in struct{ Ref, SHA string }
	if err := c.read(&in); err != nil {
		return reply{}, err
	}
	if c.repo.Head(c.repo.trunk) == "" {
		return reply{}, fail(http.StatusConflict, "Git Repository is empty.")
	}
	switch {
	case c.repo.git.resolve(in.Ref, "object") != "":
		return reply{}, fail(http.StatusUnprocessableEntity, "Reference already exists")
	case c.repo.git.resolve(in.SHA, "commit") == "":
		return reply{}, fail(http.StatusUnprocessableEntity, "Object does not exist")
	case !validRef(in.Ref):
		return reply{}, fail(http.StatusUnprocessableEntity, "Reference name is not valid")
	}
	if err := c.repo.point(in.Ref, in.SHA, c.who.login); err != nil {
		return reply{}, err
	}
	return created(c.repo.viewRef(in.Ref, in.SHA))
}

func updateRef(c *call) (reply, error) {
	var in struct {
		SHA   string
		Force bool
	}
	if err := c.read(&in); err != nil {
		return reply{}, err
	}
	ref := "refs/" + c.params["ref"]
	before := c.repo.git.resolve(ref, "object")
	switch {
	case before == "":
		return reply{}, fail(http.StatusUnprocessableEntity, "Reference does not exist")
	case c.repo.git.resolve(in.SHA, "commit") == "":
		return reply{}, fail(http.StatusUnprocessableEntity, "Object does not exist")
	case c.repo.protected[strings.TrimPrefix(ref, "refs/heads/")] != "":
		return reply{}, c.repo.refuseProtected(strings.TrimPrefix(ref, "refs/heads/"))
	case !in.Force && !c.repo.git.ancestor(before, in.SHA):
		return reply{}, fail(http.StatusUnprocessableEntity, "Update is not a fast forward")
	}
	if err := c.repo.point(ref, in.SHA, c.who.login); err != nil {
		return reply{}, err
	}
	return ok(c.repo.viewRef(ref, in.SHA))
}

func deleteRef(c *call) (reply, error) {
	ref := "refs/" + c.params["ref"]
	if c.repo.git.resolve(ref, "object") == "" {
		return reply{}, fail(http.StatusUnprocessableEntity, "Reference does not exist")
	}
	if c.repo.protected[strings.TrimPrefix(ref, "refs/heads/")] != "" {
		return reply{}, fail(http.StatusUnprocessableEntity, "Cannot delete this branch because it is protected.")
	}
	if err := c.repo.point(ref, zero, c.who.login); err != nil {
		return reply{}, err
	}
	return nothing()
}
