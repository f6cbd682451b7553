// Package openapi matches requests to the operations of GitHub's official OpenAPI description, reduced to those that
// the simulator supports. Package contract validates requests and answers; it is separate because only tests need its
// validator. The description is GitHub's, under the MIT licence (see LICENSE); app/proof/openapi generates it.
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
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
)

//go:embed description.json.gz
var packed []byte

// ErrUnknown reports an operation or webhook that the description does not have.
var ErrUnknown = errors.New("not in GitHub's description")

// Contract validates traffic against the description.
type Contract interface {
	// CheckRequest returns an error if a request violates the description.
	CheckRequest(ctx context.Context, e Exchange) error
	// CheckResponse returns an error if an answer violates the description.
	CheckResponse(ctx context.Context, e Exchange, status int, header http.Header, body []byte) error
	// CheckPayload returns an error if a webhook payload violates the description.
	CheckPayload(name string, payload []byte) error
}

// Held returns the validator that package contract registers. It is nil if contract is not linked: nothing is
// validated.
var Held func() (Contract, error)

// Description lists GitHub's operations and webhooks.
type Description struct {
	operations []*Operation
	webhooks   []string
}

// Operation is one operation of the REST API.
type Operation struct {
	ID       string // operationId: "checks/create"
	Method   string
	Path     string // with parameters in braces
	statuses map[string]json.RawMessage
	match    *regexp.Regexp
	names    []string
}

// Load parses the description once per process.
var Load = sync.OnceValues(load)

// Unpack returns the description as JSON.
func Unpack() ([]byte, error) {
	zip, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, fmt.Errorf("unpack the description: %w", err)
	}
	raw, err := io.ReadAll(zip)
	if err != nil {
		return nil, fmt.Errorf("unpack the description: %w", err)
	}
	return raw, nil
}

// webhookPaths is the path prefix that the reduced description uses for webhook payloads.
const webhookPaths = "/webhooks/"

// WebhookOf returns the webhook at a path of the description.
func WebhookOf(path string) (name string, ok bool) { return strings.CutPrefix(path, webhookPaths) }

func load() (*Description, error) {
	raw, err := Unpack()
	if err != nil {
		return nil, err
	}
	var doc struct {
		Paths map[string]map[string]json.RawMessage `json:"paths"`
	}
	if err := json.Unmarshal(raw, &doc); err != nil {
		return nil, fmt.Errorf("read the description: %w", err)
	}
	d := &Description{}
	for path, item := range doc.Paths {
		if name, ok := WebhookOf(path); ok {
			d.webhooks = append(d.webhooks, name)
			continue
		}
		for method, text := range item {
			if !slices.Contains(methods, method) {
				continue
			}
			op, err := operation(strings.ToUpper(method), path, text)
			if err != nil {
				return nil, fmt.Errorf("read the description: %s %s: %w", method, path, err)
			}
			d.operations = append(d.operations, op)
		}
	}
	slices.Sort(d.webhooks)
	slices.SortFunc(d.operations, bySpecificity)
	return d, nil
}

// methods are the keys of a path item that are operations.
var methods = []string{"delete", "get", "head", "options", "patch", "post", "put"}

func operation(method, path string, text []byte) (*Operation, error) {
	var op struct {
		ID        string                     `json:"operationId"`
		Responses map[string]json.RawMessage `json:"responses"`
	}
	if err := json.Unmarshal(text, &op); err != nil {
		return nil, err
	}
	match, names := pattern(path)
	return &Operation{ID: op.ID, Method: method, Path: path, statuses: op.Responses, match: match, names: names}, nil
}

// slashes lists the path parameters that may contain slashes, which OpenAPI cannot express.
var slashes = []string{"ref", "basehead", "branch"}

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
		if slices.Contains(slashes, name) {
			out.WriteString("/(.+)")
		} else {
			out.WriteString("/([^/]+)")
		}
	}
	return regexp.MustCompile("^" + out.String() + "$"), names
}

// bySpecificity sorts paths with more fixed segments first: a branch name may look like the end of another path.
func bySpecificity(a, b *Operation) int {
	fixed := func(o *Operation) int { return strings.Count(o.Path, "/") - len(o.names) }
	if d := fixed(b) - fixed(a); d != 0 {
		return d
	}
	return strings.Compare(a.Path+a.Method, b.Path+b.Method)
}

// Operations lists the operations.
func (d *Description) Operations() []*Operation { return slices.Clone(d.operations) }

// Webhooks lists the webhooks by name: event and action, joined by dashes.
func (d *Description) Webhooks() []string { return slices.Clone(d.webhooks) }

// Find returns the operation for a request and the parameters of its escaped path.
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

// Exchange is a request matched to its operation.
type Exchange struct {
	Operation *Operation
	Params    map[string]string
	Request   *http.Request
	Body      []byte
}

// Answers reports whether the description defines a response with this status.
func (o *Operation) Answers(status int) bool {
	_, known := o.statuses[strconv.Itoa(status)]
	return known
}
