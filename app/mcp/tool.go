package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/causaldocs/causal/app/answer"
	"github.com/causaldocs/causal/app/plain"
	"github.com/causaldocs/causal/app/workspace"
	"github.com/causaldocs/causal/knowledge/reasoning"
)

// mostArgument is in bytes, the bound of an event's text.
const mostArgument = 16 << 10

// mostError is in bytes.
const mostError = 4 << 10

// answered is a tool's answer as text and data. The text of a failed one includes a remedy.
type answered struct {
	text   string
	value  any
	failed bool
}

// tool is a tool with arguments of type In.
type tool[In any] struct {
	name, title, about string
	adds               bool   // writes to the repository
	rest               string // how to get the parts that were cut
	result             any    // a value of the result type; nil if there are several types
	run                func(ctx context.Context, client string, in In) (*answered, error)
}

// add registers a tool. Errors are returned as answers that a model can act on.
func add[In any](s *Server, t tool[In]) {
	input := inputOf[In]()
	no := false
	described := &mcp.Tool{
		Name: t.name, Title: t.title, Description: t.about, InputSchema: input,
		Annotations: &mcp.ToolAnnotations{
			Title: t.title, ReadOnlyHint: !t.adds, IdempotentHint: !t.adds, DestructiveHint: &no, OpenWorldHint: &no,
		},
	}
	if t.result != nil {
		described.OutputSchema = outputOf(t.result)
	}
	s.sdk.AddTool(described, func(ctx context.Context, req *mcp.CallToolRequest) (result *mcp.CallToolResult, _ error) {
		defer func() {
			if r := recover(); r != nil {
				s.Log.Error("a tool call panicked", "tool", t.name, "panic", r, "stack", string(debug.Stack()))
				result = failure(fmt.Errorf("internal error in %s: %v; see the log of causal mcp", t.name, r))
			}
		}()
		in, err := arguments[In](t.name, input, req.Params.Arguments)
		if err != nil {
			return failure(err), nil
		}
		a, err := t.run(ctx, clientOf(req), in)
		if err != nil {
			return failure(explained(err)), nil
		}
		return a.result(t.rest)
	})
}

// inputOf returns the schema of a tool's arguments. Lists are not nullable, because some clients do not support union
// types.
func inputOf[In any]() *jsonschema.Schema {
	s, err := jsonschema.For[In](nil)
	if err != nil {
		panic(err) // cannot fail for our types
	}
	for _, p := range s.Properties {
		if slices.Contains(p.Types, "array") {
			p.Type, p.Types = "array", nil
		}
	}
	return s
}

func failure(err error) *mcp.CallToolResult {
	return &mcp.CallToolResult{IsError: true, Content: []mcp.Content{&mcp.TextContent{Text: plain.Text(err.Error(), mostError)}}}
}

func arguments[In any](name string, schema *jsonschema.Schema, data json.RawMessage) (in In, err error) {
	given := map[string]json.RawMessage{}
	if len(bytes.TrimSpace(data)) > 0 {
		if err := json.Unmarshal(data, &given); err != nil {
			return in, fmt.Errorf("the arguments of %s should be a JSON object: %w", name, err)
		}
	}
	for key, value := range given {
		switch {
		case schema.Properties[key] == nil:
			return in, fmt.Errorf("'%s' is no parameter of %s; it takes %s", plain.Line(key, plain.Longest), name, strings.Join(schema.PropertyOrder, ", "))
		case len(value) > 2*mostArgument:
			return in, fmt.Errorf("'%s' parameter has %d bytes, and %d are the most", key, len(value), mostArgument)
		}
	}
	for _, key := range schema.Required {
		if blank(given[key]) {
			return in, fmt.Errorf("'%s' parameter is required: %s", key, schema.Properties[key].Description)
		}
	}
	if len(given) == 0 {
		return in, nil
	}
	err = json.Unmarshal(data, &in)
	var wrong *json.UnmarshalTypeError
	if errors.As(err, &wrong) {
		return in, fmt.Errorf("'%s' parameter should be %s, and is a %s", wrong.Field, schema.Properties[firstOf(wrong.Field)].Type, wrong.Value)
	}
	return in, err
}

func firstOf(field string) string {
	first, _, _ := strings.Cut(field, ".")
	return first
}

// blank reports whether an argument is empty.
func blank(value json.RawMessage) bool {
	var text string
	var list []json.RawMessage
	switch {
	case len(value) == 0 || string(value) == "null":
		return true
	case json.Unmarshal(value, &text) == nil:
		return strings.TrimSpace(text) == ""
	case json.Unmarshal(value, &list) == nil:
		return !slices.ContainsFunc(list, func(v json.RawMessage) bool { return !blank(v) })
	}
	return false
}

const longestClient = 64

// clientOf returns the client's self-reported name.
func clientOf(req *mcp.CallToolRequest) string {
	name := ""
	if p := req.Session.InitializeParams(); p != nil && p.ClientInfo != nil {
		name = p.ClientInfo.Name
	}
	if name = plain.Line(strings.TrimSpace(name), longestClient); name == "" {
		return "unnamed"
	}
	return name
}

// mostChoices bounds a list of alternatives.
const mostChoices = 12

// explained adds a remedy for the model to an error.
func explained(err error) error {
	var several *workspace.AmbiguousError
	var unknown *workspace.UnknownError
	var nowhere *workspace.PlaceError
	switch {
	case errors.As(err, &several):
		return fmt.Errorf("%s is ambiguous; call again with one of these targets:%s", several.Target, choices(several.Choices))
	case errors.As(err, &unknown) && len(unknown.Nearest) > 0:
		return fmt.Errorf("%s: %s; similar names:%s\ncall search to find more; `causal update` reads new files", unknown.Target, unknown.Because, choices(unknown.Nearest))
	case errors.As(err, &unknown):
		return fmt.Errorf("%s: %s; call search to find it by words; `causal update` reads new files", unknown.Target, unknown.Because)
	case errors.As(err, &nowhere):
		return fmt.Errorf("%w; causal mcp works in the repository that it is started in", err)
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return errors.New("the call was cancelled")
	}
	return err
}

func choices(list []workspace.Choice) string {
	var b strings.Builder
	for i, c := range list {
		if i == mostChoices {
			fmt.Fprintf(&b, "\n  and %d more", len(list)-i)
			break
		}
		fmt.Fprintf(&b, "\n  %s  (%s)", c.Typed, answer.Line(c.About))
	}
	return b.String()
}

// mend has the remedy for each reason to drop an event.
var mend = map[reasoning.Reason]string{
	reasoning.NoCandidate:    "Call decisions to list the recorded events and name one by its id, or record the missing event first.",
	reasoning.BelowThreshold: "Name one of these events by its id, or record the missing event first.",
	reasoning.Ambiguous:      "Name one of these events by its id.",
	reasoning.WrongStatus:    "Call why with its id to see its history.",
	reasoning.TooVague:       "Name the event by its id, or by a quotation in double quotes.",
	reasoning.InvalidPayload: "Nothing was recorded; fix the errors and call again.",
	reasoning.Duplicate:      "The event exists already; to record a repetition, give another source.",
}
