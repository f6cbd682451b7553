// Package contract validates requests, answers and webhooks against GitHub's official OpenAPI description. Importing it
// registers the validator, which every simulated GitHub of the program then uses. Tests import it.
package contract

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"

	"github.com/causaldocs/causal/app/githubsim/openapi"
)

func init() {
	openapi.Held = sync.OnceValues(func() (openapi.Contract, error) { return load() })
}

type contract struct {
	doc      *openapi3.T
	routes   map[string]*routers.Route // by method and path template
	webhooks map[string]*openapi3.Schema
}

func load() (*contract, error) {
	raw, err := openapi.Unpack()
	if err != nil {
		return nil, err
	}
	doc, err := openapi3.NewLoader().LoadFromData(raw)
	if err != nil {
		return nil, fmt.Errorf("read the description: %w", err)
	}
	c := &contract{doc: doc, routes: map[string]*routers.Route{}, webhooks: map[string]*openapi3.Schema{}}
	for path, item := range doc.Paths.Map() {
		for method, op := range item.Operations() {
			if name, ok := openapi.WebhookOf(path); ok {
				c.webhooks[name] = op.RequestBody.Value.Content.Get("application/json").Schema.Value
				continue
			}
			c.routes[method+" "+path] = &routers.Route{Spec: doc, Path: path, PathItem: item, Method: method, Operation: op}
		}
	}
	return c, nil
}

// CheckRequest implements openapi.Contract.
func (c *contract) CheckRequest(ctx context.Context, e openapi.Exchange) error {
	return openapi3filter.ValidateRequest(ctx, c.input(e))
}

// CheckResponse implements openapi.Contract.
func (c *contract) CheckResponse(ctx context.Context, e openapi.Exchange, status int, header http.Header, body []byte) error {
	in := &openapi3filter.ResponseValidationInput{
		RequestValidationInput: c.input(e), Status: status, Header: header, Options: options,
	}
	return openapi3filter.ValidateResponse(ctx, in.SetBodyBytes(body))
}

// options omit the violated schema from errors because it can fill pages.
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

func (c *contract) input(e openapi.Exchange) *openapi3filter.RequestValidationInput {
	r := e.Request.Clone(context.Background())
	r.Body = io.NopCloser(bytes.NewReader(e.Body))
	route := c.routes[e.Operation.Method+" "+e.Operation.Path]
	return &openapi3filter.RequestValidationInput{Request: r, PathParams: e.Params, Route: route, Options: options}
}

// CheckPayload implements openapi.Contract.
func (c *contract) CheckPayload(name string, payload []byte) error {
	schema, ok := c.webhooks[name]
	if !ok {
		return fmt.Errorf("webhook %s: %w", name, openapi.ErrUnknown)
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
