package frame

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"unicode/utf8"
)

// Limits of a context slice, which also reject cyclic values.
const (
	maxSliceDepth  = 100
	maxSliceValues = 1 << 18
)

// normalizer copies a context slice into JSON types. A whole number becomes an int, as when read from a file.
type normalizer struct {
	values int
}

func normalizeSlice(slice map[string]any) (map[string]any, error) {
	if len(slice) == 0 {
		return nil, nil
	}
	var n normalizer
	copied, err := n.object(slice, 0)
	if err != nil {
		return nil, fmt.Errorf("context_slice%w", err)
	}
	return copied, nil
}

func (n *normalizer) value(v any, depth int) (any, error) {
	n.values++
	if n.values > maxSliceValues {
		return nil, fmt.Errorf(": more than %d values", maxSliceValues)
	}
	if depth > maxSliceDepth {
		return nil, fmt.Errorf(": nested deeper than %d", maxSliceDepth)
	}
	switch v := v.(type) {
	case nil, bool, int:
		return v, nil
	case int64:
		return int(v), nil
	case float64:
		return normalizeFloat(v)
	case string:
		if !utf8.ValidString(v) {
			return nil, errors.New(": text is not valid UTF-8")
		}
		return v, nil
	case []string:
		return array(n, v, depth)
	case []any:
		return array(n, v, depth)
	case map[string]any:
		return n.object(v, depth)
	default:
		return nil, fmt.Errorf(": %T is not null, bool, int, float64, string, list or map", v)
	}
}

// exactInt is the bound below which every whole float64 is exactly one integer.
const exactInt = 1 << 53

func normalizeFloat(v float64) (any, error) {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return nil, fmt.Errorf(": %v is not a JSON number", v)
	}
	if v == math.Trunc(v) && math.Abs(v) < exactInt {
		return int(v), nil
	}
	return v, nil
}

func array[T any](n *normalizer, list []T, depth int) (any, error) {
	copied := make([]any, len(list))
	for i, v := range list {
		var err error
		if copied[i], err = n.value(v, depth+1); err != nil {
			return nil, fmt.Errorf("[%d]%w", i, err)
		}
	}
	return copied, nil
}

func (n *normalizer) object(object map[string]any, depth int) (map[string]any, error) {
	copied := make(map[string]any, len(object))
	for _, key := range slices.Sorted(maps.Keys(object)) {
		if !utf8.ValidString(key) {
			return nil, fmt.Errorf(": key %q is not valid UTF-8", key)
		}
		value, err := n.value(object[key], depth+1)
		if err != nil {
			return nil, fmt.Errorf(".%s%w", key, err)
		}
		copied[key] = value
	}
	return copied, nil
}

func cloneSlice(slice map[string]any) map[string]any {
	if slice == nil {
		return nil
	}
	copied := make(map[string]any, len(slice))
	for key, v := range slice {
		copied[key] = cloneValue(v)
	}
	return copied
}

func cloneValue(v any) any {
	switch v := v.(type) {
	case map[string]any:
		return cloneSlice(v)
	case []any:
		copied := make([]any, len(v))
		for i := range v {
			copied[i] = cloneValue(v[i])
		}
		return copied
	default:
		return v
	}
}

// deriveID returns the frame ID. Length prefixes keep sequences of parts distinct.
func deriveID(session, parent, query string, slice map[string]any) (string, error) {
	canonical := []byte("{}")
	if len(slice) > 0 {
		var err error
		// JSON sorts the keys of maps.
		if canonical, err = json.Marshal(slice); err != nil {
			return "", fmt.Errorf("encode context_slice: %w", err)
		}
	}
	h := sha256.New()
	for _, part := range []string{session, parent, query, string(canonical)} {
		h.Write(binary.AppendUvarint(nil, uint64(len(part))))
		h.Write([]byte(part))
	}
	return hex.EncodeToString(h.Sum(nil)[:8]), nil
}
