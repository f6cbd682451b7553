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
	routes   map[string]*routers.Route // by operationId
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
			c.routes[op.OperationID] = &routers.Route{Spec: doc, Path: path, PathItem: item, Method: method, Operation: op}
		}
	}
	return c, nil
}

// CheckRequest implements openapi.Contract.
func (c *contract) CheckRequest(operation string, r *http.Request, body []byte) error {
	return openapi3filter.ValidateRequest(context.Background(), c.input(operation, r, body))
}

// CheckResponse implements openapi.Contract.
func (c *contract) CheckResponse(operation string, r *http.Request, status int, header http.Header, body []byte) error {
	if status >= http.StatusBadRequest && c.routes[operation].Operation.Responses.Status(status) == nil {
		return nil
	}
	in := &openapi3filter.ResponseValidationInput{
		RequestValidationInput: c.input(operation, r, nil), Status: status, Header: header, Options: options,
	}
	return openapi3filter.ValidateResponse(context.Background(), in.SetBodyBytes(body))
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

func (c *contract) input(operation string, request *http.Request, body []byte) *openapi3filter.RequestValidationInput {
	route, params := c.routes[operation], map[string]string{}
	for segment := range strings.SplitSeq(route.Path, "/") {
		if name, ok := strings.CutPrefix(segment, "{"); ok {
			name = strings.TrimSuffix(name, "}")
			params[name] = request.PathValue(name)
		}
	}
	r := request.Clone(context.Background())
	r.Body = io.NopCloser(bytes.NewReader(body))
	return &openapi3filter.RequestValidationInput{Request: r, PathParams: params, Route: route, Options: options}
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
