// Package openapi holds GitHub's official OpenAPI description, reduced to the operations and webhooks that the simulator
// supports. Package contract validates requests and answers against it; it is separate because only tests need its
// validator. The description is GitHub's, under the MIT licence (see LICENSE); app/proof/openapi generates it.
package openapi

import (
	"bytes"
	"compress/gzip"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
)

//go:embed description.json.gz
var packed []byte

// ErrUnknown reports a webhook that the description does not have.
var ErrUnknown = errors.New("not in GitHub's description")

// Contract validates traffic against the description. Operations are named by their operationId. Path parameters are the
// request's path values.
type Contract interface {
	// CheckRequest returns an error if a request violates the description.
	CheckRequest(operation string, r *http.Request, body []byte) error
	// CheckResponse returns an error if an answer violates the description. GitHub does not describe every refusal, so
	// undescribed error statuses pass.
	CheckResponse(operation string, r *http.Request, status int, header http.Header, body []byte) error
	// CheckPayload returns an error if a webhook payload violates the description.
	CheckPayload(name string, payload []byte) error
}

// Held returns the validator that package contract registers. It is nil if contract is not linked: nothing is
// validated.
var Held func() (Contract, error)

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

// WebhookOf returns the webhook at a path of the description. The reduced description has webhook payloads as operations.
func WebhookOf(path string) (name string, ok bool) { return strings.CutPrefix(path, "/webhooks/") }
