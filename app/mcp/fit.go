package mcp

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/causaldocs/causal/app/plain"
)

// Bounds of an answer, because a model pays for all of it.
const (
	mostText = 12 << 10 // bytes of text
	mostData = 32 << 10 // bytes of JSON
)

// cutKey is the member that lists what was shortened.
const cutKey = "cut"

func outputOf(value any) *jsonschema.Schema {
	s, err := jsonschema.ForType(reflect.TypeOf(value), &jsonschema.ForOptions{})
	if err != nil {
		panic(err) // cannot fail for our types
	}
	s.Types, s.Type = nil, "object"
	s.Properties[cutKey] = &jsonschema.Schema{Type: "array", Items: &jsonschema.Schema{Type: "string"}, Description: "lists and texts that were shortened"}
	return s
}

// result encodes an answer. rest says how to get the parts that were cut.
func (a *answered) result(rest string) (*mcp.CallToolResult, error) {
	data, missing, err := fit(a.value, mostData)
	if err != nil {
		return nil, fmt.Errorf("encode the answer: %w", err)
	}
	text, lines := shorten(strings.TrimSuffix(a.text, "\n"), mostText)
	if lines > 0 {
		missing = append(missing, fmt.Sprintf("the text lacks %d lines", lines))
	}
	if len(missing) > 0 {
		text += "\n[The answer was shortened: " + strings.Join(missing, "; ") + ". " + rest + "]"
	}
	return &mcp.CallToolResult{IsError: a.failed, Content: []mcp.Content{&mcp.TextContent{Text: text}}, StructuredContent: data}, nil
}

// shorten drops the last lines of a long text, and counts them.
func shorten(text string, most int) (shown string, left int) {
	if len(text) <= most {
		return text, 0
	}
	at := strings.LastIndexByte(text[:most], '\n')
	if at < 0 {
		return plain.Cut(text, most), 1
	}
	return text[:at], strings.Count(text[at+1:], "\n") + 1
}

// fit encodes a value as a JSON object of at most most bytes. It repeatedly halves the largest list or text, and
// describes the cuts in words and in the object.
func fit(value any, most int) (data json.RawMessage, missing []string, err error) {
	if data, err = encode(value); err != nil || len(data) <= most {
		return data, nil, err
	}
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	tree := map[string]any{}
	if err := dec.Decode(&tree); err != nil {
		return nil, nil, err
	}
	whole := map[string]int{}
	for len(data) > most {
		list, text := largest(tree, "")
		widest := list
		if list.cut == nil {
			widest = text
		}
		if widest.cut == nil {
			break // only member names are left, which are few
		}
		if whole[widest.at] == 0 {
			whole[widest.at] = widest.length
		}
		widest.cut(widest.length / 2)
		missing = missing[:0]
		for at, n := range whole {
			missing = append(missing, fmt.Sprintf("%s has %d entries and is not complete", at, n))
		}
		slices.Sort(missing)
		tree[cutKey] = missing
		if data, err = encode(tree); err != nil {
			return nil, nil, err
		}
	}
	return data, missing, nil
}

func encode(value any) (json.RawMessage, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(value); err != nil {
		return nil, err
	}
	return plain.JSON(bytes.TrimSpace(b.Bytes())), nil
}

// portion is a list or text within a value.
type portion struct {
	at     string
	length int // elements, or bytes
	size   int // bytes, approximately
	cut    func(length int)
}

func (p portion) or(other portion) portion {
	if other.length > 1 && other.size > p.size {
		return other
	}
	return p
}

// largest returns the largest list and the largest text of an object, both without a cut if there is none.
func largest(tree map[string]any, above string) (list, text portion) {
	for key, value := range tree {
		if key == cutKey && above == "" {
			continue
		}
		at := above + key
		switch v := value.(type) {
		case []any:
			list = list.or(portion{at, len(v), sizeOf(v), func(n int) { tree[key] = v[:n] }})
		case string:
			text = text.or(portion{at, len(v), len(v), func(n int) { tree[key] = plain.Cut(v, n) }})
		}
		for _, inner := range within(value) {
			l, t := largest(inner, at+".")
			list, text = list.or(l), text.or(t)
		}
	}
	return list, text
}

// within returns the objects in a value.
func within(value any) (out []map[string]any) {
	switch v := value.(type) {
	case map[string]any:
		out = append(out, v)
	case []any:
		for _, x := range v {
			out = append(out, within(x)...)
		}
	}
	return out
}

func sizeOf(value any) (n int) {
	switch v := value.(type) {
	case map[string]any:
		for key, x := range v {
			n += len(key) + sizeOf(x)
		}
	case []any:
		for _, x := range v {
			n += 1 + sizeOf(x)
		}
	case string:
		n = len(v)
	default:
		n = 8
	}
	return n
}
