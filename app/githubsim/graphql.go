package githubsim

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
)

// graphError is a GraphQL error, returned with status 200.
type graphError struct{ kind, message string }

func (e *graphError) Error() string { return e.kind + ": " + e.message }

type resolver func(args object) any

// fields are an object's fields: values, objects, and resolvers for fields with arguments.
type fields map[string]any

type graphCall struct {
	call
	operation *ast.OperationDefinition
	fields    []*ast.Field
	variables object
	errors    []object
}

func (s *Server) serveGraphQL(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	g := &graphCall{call: call{s: s, r: r, body: body, who: anonymous, op: "graphql"}}
	parseErr := g.parse()
	s.mu.Lock()
	fault := s.fault(g.op)
	s.mu.Unlock()
	s.serve(w, r, fault, func() answer {
		s.mu.Lock()
		defer s.mu.Unlock()
		return g.answer(parseErr)
	})
}

// parse decodes the request and names the operation after its first field.
func (g *graphCall) parse() error {
	var in struct {
		Query     string
		Variables object
	}
	if err := json.Unmarshal(g.body, &in); err != nil {
		return fail(http.StatusBadRequest, "Problems parsing JSON")
	}
	g.variables = in.Variables
	var err error
	if g.operation, err = readOperation(in.Query); err != nil {
		return &graphError{message: err.Error()}
	}
	g.fields = fieldsOf(g.operation.SelectionSet)
	g.op = "graphql/" + g.fields[0].Name
	return nil
}

func (g *graphCall) answer(err error) answer {
	if err == nil {
		err = g.identify()
	}
	if err != nil {
		return g.end(nil, err)
	}
	if !g.who.known() {
		return g.end(nil, fail(http.StatusUnauthorized, "This endpoint requires you to be authenticated."))
	}
	if err := g.s.limits.spend(g.s, g.who, "graphql"); err != nil {
		return g.end(nil, err)
	}
	root := g.queries()
	if g.mutates() {
		root = g.mutations()
	}
	return g.end(g.resolve(g.fields, root, nil), nil)
}

func (g *graphCall) end(data any, err error) answer {
	var wrong *graphError
	if err != nil && !errors.As(err, &wrong) {
		a := g.refuse(err)
		g.s.note(&g.call, a.status)
		return a
	}
	body := object{"data": data}
	if wrong != nil {
		g.s.violate("GraphQL: %s: %s", wrong.message, g.body)
		body = object{"errors": []object{{"message": wrong.message}}}
	}
	if len(g.errors) > 0 {
		body["errors"] = g.errors
	}
	a := g.finish(reply{status: http.StatusOK, body: body})
	g.s.limits.headers(g.s, g.who, "graphql", a.header)
	g.s.note(&g.call, a.status)
	if n := len(g.s.requests) - 1; g.s.requests[n].Repository != "" {
		g.s.requests[n].Write = g.mutates()
	}
	return a
}

// resolve computes the requested fields. A field that fails is null and adds an error.
func (g *graphCall) resolve(asked []*ast.Field, in fields, path []any) object {
	out := object{}
	for _, f := range asked {
		here := append(append([]any{}, path...), f.Alias)
		value, known := in[f.Name]
		if !known {
			g.s.violate("GraphQL: the simulator knows no field %q here: %s", f.Name, g.body)
			g.tell(here, &graphError{kind: "undefinedField", message: fmt.Sprintf("Field '%s' doesn't exist", f.Name)})
			continue
		}
		if compute, ok := value.(resolver); ok {
			var err error
			if value, err = g.compute(compute, f.Arguments); err != nil {
				g.tell(here, err)
				out[f.Alias] = nil
				continue
			}
		}
		switch below := value.(type) {
		case fields:
			value = g.resolve(fieldsOf(f.SelectionSet), below, here)
		case []any:
			value = g.each(fieldsOf(f.SelectionSet), below, here)
		}
		out[f.Alias] = value
	}
	return out
}

func (g *graphCall) compute(compute resolver, args ast.ArgumentList) (value any, err error) {
	defer rescue(&err)
	return compute(g.arguments(args)), nil
}

func (g *graphCall) each(asked []*ast.Field, list []any, path []any) []any {
	out := make([]any, len(list))
	for i, entry := range list {
		if in, ok := entry.(fields); ok {
			out[i] = g.resolve(asked, in, append(append([]any{}, path...), i))
		}
	}
	return out
}

func (g *graphCall) tell(path []any, err error) {
	var wrong *graphError
	var refused *refusal
	switch {
	case errors.As(err, &wrong):
	case errors.As(err, &refused):
		wrong = &graphError{kind: "UNPROCESSABLE", message: refused.message}
	default:
		g.s.violate("%s: the simulator failed: %v", g.op, err)
		wrong = &graphError{kind: "INTERNAL", message: "Something went wrong while executing your query."}
	}
	g.errors = append(g.errors, object{
		"type": wrong.kind, "message": wrong.message, "path": path, "locations": []object{{"line": 1, "column": 1}},
	})
}

func (g *graphCall) arguments(args ast.ArgumentList) object {
	out := object{}
	for _, arg := range args {
		value, err := arg.Value.Value(g.variables)
		if err != nil {
			why := fmt.Sprintf("Argument '%s' has an invalid value (%s)", arg.Name, arg.Value)
			g.s.violate("GraphQL: %s: %s", why, g.body)
			panic(&graphError{kind: "argumentLiteralsIncompatible", message: why})
		}
		out[arg.Name] = value
	}
	return out
}

func (g *graphCall) queries() fields {
	return fields{
		"__typename": "Query",
		"viewer":     fields{"__typename": "Bot", "login": g.who.login, "id": node("Bot", g.s.account(g.who.login).id)},
		"rateLimit": fields{
			"limit": g.s.limits.each, "remaining": g.s.limits.view(g.s, g.who, "graphql")["remaining"], "cost": 1,
			"resetAt": stamp(g.s.limits.of(g.s, g.who, "graphql").reset),
		},
		"nodes": resolver(g.nodes),
		"repository": resolver(func(args object) any {
			owner, _ := args["owner"].(string)
			name, _ := args["name"].(string)
			return g.repository(g.find(owner + "/" + name))
		}),
	}
}

func (g *graphCall) find(full string) *Repository {
	owner, name, _ := strings.Cut(full, "/")
	repo := g.s.lookup(owner, name)
	if repo == nil {
		repo = g.s.moved[lower(full)]
	}
	if repo == nil || !g.who.sees(repo) {
		panic(&graphError{kind: "NOT_FOUND", message: fmt.Sprintf("Could not resolve to a Repository with the name '%s'.", full)})
	}
	return repo
}

func (g *graphCall) repository(repo *Repository) fields {
	out := fields{
		"__typename": "Repository", "id": node("Repository", repo.id), "databaseId": repo.id, "name": repo.name, "nameWithOwner": repo.fullName(),
		"isArchived": repo.archived, "isPrivate": repo.private, "isEmpty": resolver(func(object) any { return repo.Head(repo.trunk) == "" }), "isFork": repo.parent != nil,
		"url": repo.html(), "defaultBranchRef": resolver(func(object) any { return g.ref(repo, "refs/heads/"+repo.trunk) }),
		"ref": resolver(func(args object) any {
			name, _ := args["qualifiedName"].(string)
			if !strings.HasPrefix(name, "refs/") {
				name = "refs/heads/" + name
			}
			return g.ref(repo, name)
		}),
		"pullRequest":  resolver(func(args object) any { return g.pull(repo, args) }),
		"pullRequests": resolver(func(args object) any { return g.pulls(repo, args) }),
		"object": resolver(func(args object) any {
			name, _ := args["oid"].(string)
			if name == "" {
				name, _ = args["expression"].(string)
			}
			id := repo.git.resolve(name, "commit")
			if id == "" {
				return nil
			}
			return g.commit(repo, id)
		}),
	}
	return out
}

func (g *graphCall) ref(repo *Repository, name string) any {
	id := repo.git.resolve(name, "commit")
	if id == "" {
		return nil
	}
	short := strings.TrimPrefix(strings.TrimPrefix(name, "refs/heads/"), "refs/tags/")
	return fields{
		"__typename": "Ref", "id": node("Ref", fmt.Sprint(repo.id, name)), "name": short, "prefix": strings.TrimSuffix(name, short),
		"target": resolver(func(object) any { return g.commit(repo, id) }),
	}
}

func (g *graphCall) commit(repo *Repository, id string) any {
	c := repo.git.commit(id)
	headline, body, _ := strings.Cut(c.message, "\n")
	out := fields{
		"__typename": "Commit", "id": node("Commit", id), "oid": id, "abbreviatedOid": id[:7], "url": repo.html() + "/commit/" + id,
		"commitUrl": repo.html() + "/commit/" + id, "message": c.message, "messageHeadline": headline, "messageBody": strings.TrimSpace(body),
		"committedDate": stamp(c.committer.Date), "authoredDate": stamp(c.author.Date), "tree": fields{"oid": c.tree}, "signature": nil,
		"author":    fields{"name": c.author.Name, "email": c.author.Email},
		"committer": fields{"name": c.committer.Name, "email": c.committer.Email},
	}
	if repo.verified[id] {
		out["signature"] = fields{"isValid": true, "state": "VALID", "wasSignedByGitHub": true}
	}
	return out
}
