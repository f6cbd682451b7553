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
	s.serve(w, &g.call, func() answer { return g.answer(parseErr) })
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
		"viewer": fields{"login": g.who.login},
		"nodes":  resolver(g.nodes),
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
	return fields{
		"databaseId":       repo.id,
		"nameWithOwner":    repo.fullName(),
		"defaultBranchRef": resolver(func(object) any { return g.trunk(repo) }),
		"pullRequest":      resolver(func(args object) any { return g.pull(repo, args) }),
		"pullRequests":     resolver(func(args object) any { return g.pulls(repo, args) }),
	}
}

func (g *graphCall) trunk(repo *Repository) any {
	head := repo.Head(repo.trunk)
	if head == "" {
		return nil
	}
	return fields{"name": repo.trunk, "target": fields{"oid": head}}
}
