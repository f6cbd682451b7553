package spec

import _ "embed"

// JSONSchema is the JSON Schema of specs.
//
//go:embed schema.json
var JSONSchema []byte
