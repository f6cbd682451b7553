// Package openapi knows GitHub's official OpenAPI description, cut down to the operations that the simulator speaks: which
// operation a request is for. Package contract holds requests and answers to it; that is apart because it brings a whole
// validator along, which only tests need. The description is data of GitHub's under the MIT licence (see LICENSE);
// app/proof/openapi makes it.
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

// ErrUnknown says that the description has no such operation or webhook.
var ErrUnknown = errors.New("not in GitHub's description")

// Contract holds what is said to the description.
type Contract interface {
	// CheckRequest tells what in a request is outside the description.
	CheckRequest(ctx context.Context, e Exchange) error
	// CheckResponse tells what in an answer is outside the description.
	CheckResponse(ctx context.Context, e Exchange, status int, header http.Header, body []byte) error
	// CheckPayload tells what in the payload of a webhook is outside the description.
	CheckPayload(name string, payload []byte) error
}

// Held is what package contract registers, nil where it is not linked: then nothing is checked.
var Held func() (Contract, error)

// Description is what can be asked of GitHub.
type Description struct {
	operations []*Operation
	webhooks   []string
}

// Operation is one thing that can be asked of GitHub.
type Operation struct {
	ID       string // as the description calls it: "checks/create"
	Method   string
	Path     string // with its parameters in braces
	statuses map[string]json.RawMessage
	match    *regexp.Regexp
	names    []string
}

// Load reads the description, once in a process.
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

// webhookPaths is where the description keeps the payloads of webhooks.
const webhookPaths = "/webhooks/"

// WebhookOf tells which webhook a path of the description stands for.
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

// methods tell the operations of a path from what else stands there.
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

// slashes lists the path parameters that may hold slashes: OpenAPI has no way to say so, GitHub allows it.
var slashes = []string{"ref", "basehead", "branch"}

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
		if slices.Contains(slashes, name) {
			out.WriteString("/(.+)")
		} else {
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
func (d *Description) Webhooks() []string { return slices.Clone(d.webhooks) }

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

// Answers reports whether the description says what an answer of a status looks like.
func (o *Operation) Answers(status int) bool {
	_, known := o.statuses[strconv.Itoa(status)]
	return known
}
