// Package openapi holds requests and responses to GitHub's official OpenAPI description, cut down to the operations
// that the simulator speaks. The description is data of GitHub's under the MIT licence (see LICENSE); slice makes it.
package openapi

import (
	"bytes"
	"compress/gzip"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
)

//go:generate go run ./slice

//go:embed description.json.gz
var packed []byte

// ErrUnknown says that the description has no such operation or webhook.
var ErrUnknown = errors.New("not in GitHub's description")

// Description is what GitHub promises.
type Description struct {
	doc        *openapi3.T
	operations []*Operation
	webhooks   map[string]*openapi3.Schema
}

// Operation is one thing that can be asked of GitHub.
type Operation struct {
	ID     string // as the description calls it: "checks/create"
	Method string
	Path   string // with its parameters in braces
	route  *routers.Route
	match  *regexp.Regexp
	names  []string
}

// Load reads the description, once in a process.
var Load = sync.OnceValues(load)

func load() (*Description, error) {
	zip, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, fmt.Errorf("unpack the description: %w", err)
	}
	raw, err := io.ReadAll(zip)
	if err != nil {
		return nil, fmt.Errorf("unpack the description: %w", err)
	}
	doc, err := openapi3.NewLoader().LoadFromData(raw)
	if err != nil {
		return nil, fmt.Errorf("read the description: %w", err)
	}
	d := &Description{doc: doc, webhooks: map[string]*openapi3.Schema{}}
	for path, item := range doc.Paths.Map() {
		for method, op := range item.Operations() {
			if name, ok := strings.CutPrefix(path, "/webhooks/"); ok {
				d.webhooks[name] = op.RequestBody.Value.Content.Get("application/json").Schema.Value
				continue
			}
			d.operations = append(d.operations, d.operation(method, path, item, op))
		}
	}
	slices.SortFunc(d.operations, bySpecificity)
	return d, nil
}

func (d *Description) operation(method, path string, item *openapi3.PathItem, op *openapi3.Operation) *Operation {
	route := &routers.Route{Spec: d.doc, Path: path, PathItem: item, Method: method, Operation: op}
	match, names := pattern(path)
	return &Operation{ID: op.OperationID, Method: method, Path: path, route: route, match: match, names: names}
}

// slashes lists the path parameters that may hold slashes: OpenAPI has no way to say so, GitHub allows it.
var slashes = []string{"path", "ref", "basehead", "branch"}

// pattern turns a path template into an expression, with the names of its parameters in their order.
func pattern(path string) (*regexp.Regexp, []string) {
	var names []string
	var out strings.Builder
	for segment := range strings.SplitSeq(strings.TrimPrefix(path, "/"), "/") {
		name, ok := strings.CutPrefix(segment, "{")
		if !ok {
			out.WriteString("/" + regexp.QuoteMeta(segment))
			continue
		}
		name = strings.TrimSuffix(name, "}")
		names = append(names, name)
		switch {
		case name == "path":
			out.WriteString("(?:/(.*))?") // the root directory has none
		case slices.Contains(slashes, name):
			out.WriteString("/(.+)")
		default:
			out.WriteString("/([^/]+)")
		}
	}
	return regexp.MustCompile("^" + out.String() + "$"), names
}

// bySpecificity puts the paths with more fixed words first: a branch may be called like the end of another path.
func bySpecificity(a, b *Operation) int {
	fixed := func(o *Operation) int { return strings.Count(o.Path, "/") - len(o.names) }
	if d := fixed(b) - fixed(a); d != 0 {
		return d
	}
	return strings.Compare(a.Path+a.Method, b.Path+b.Method)
}

// Operations lists what can be asked.
func (d *Description) Operations() []*Operation { return slices.Clone(d.operations) }

// Webhooks lists the webhooks by name: event and action with dashes.
func (d *Description) Webhooks() []string {
	out := make([]string, 0, len(d.webhooks))
	for name := range d.webhooks {
		out = append(out, name)
	}
	slices.Sort(out)
	return out
}

// Find tells which operation a request is for, with the parameters of its escaped path.
func (d *Description) Find(method, path string) (*Operation, map[string]string, error) {
	for _, op := range d.operations {
		if op.Method != method {
			continue
		}
		found := op.match.FindStringSubmatch(path)
		if found == nil {
			continue
		}
		params := map[string]string{}
		for i, name := range op.names {
			value, err := url.PathUnescape(found[i+1])
			if err != nil {
				return nil, nil, fmt.Errorf("%s %s: %w", method, path, err)
			}
			params[name] = value
		}
		return op, params, nil
	}
	return nil, nil, fmt.Errorf("%s %s: %w", method, path, ErrUnknown)
}

// Exchange is one request with what it was answered.
type Exchange struct {
	Operation *Operation
	Params    map[string]string
	Request   *http.Request
	Body      []byte // of the request
}

// CheckRequest tells what in a request is outside the description.
func (e Exchange) CheckRequest(ctx context.Context) error {
	return openapi3filter.ValidateRequest(ctx, e.input())
}

// CheckResponse tells what in a response is outside the description.
func (e Exchange) CheckResponse(ctx context.Context, status int, header http.Header, body []byte) error {
	in := &openapi3filter.ResponseValidationInput{
		RequestValidationInput: e.input(), Status: status, Header: header, Options: options,
	}
	return openapi3filter.ValidateResponse(ctx, in.SetBodyBytes(body))
}

// options has errors without the schema that was violated, which would fill pages.
var options = func() *openapi3filter.Options {
	o := &openapi3filter.Options{
		AuthenticationFunc: openapi3filter.NoopAuthenticationFunc, IncludeResponseStatus: true, SkipSettingDefaults: true,
		MultiError: false,
	}
	o.WithCustomSchemaErrorFunc(func(err *openapi3.SchemaError) string {
		return fmt.Sprintf("at %s: %s", "/"+strings.Join(err.JSONPointer(), "/"), err.Reason)
	})
	return o
}()

func (e Exchange) input() *openapi3filter.RequestValidationInput {
	r := e.Request.Clone(context.Background())
	r.Body = io.NopCloser(bytes.NewReader(e.Body))
	params := maps.Clone(e.Params)
	for name, value := range params {
		if value == "" {
			params[name] = "/" // only the root directory has an empty parameter
		}
	}
	return &openapi3filter.RequestValidationInput{Request: r, PathParams: params, Route: e.Operation.route, Options: options}
}

// CheckPayload tells what in the payload of a webhook is outside the description.
func (d *Description) CheckPayload(name string, payload []byte) error {
	schema, ok := d.webhooks[name]
	if !ok {
		return fmt.Errorf("webhook %s: %w", name, ErrUnknown)
	}
	var value any
	if err := json.Unmarshal(payload, &value); err != nil {
		return err
	}
	if err := schema.VisitJSON(value, openapi3.VisitAsRequest()); err != nil {
		return fmt.Errorf("webhook %s: %w", name, err)
	}
	return nil
}

// Answers tells whether the description says what an answer of a status looks like.
func (o *Operation) Answers(status int) bool {
	return o.route.Operation.Responses.Status(status) != nil
}
