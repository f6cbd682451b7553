package sarif

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
)

var foreign = []struct{ magic, what string }{
	{"\x1f\x8b", "is compressed, SARIF is JSON"},
	{"PK\x03\x04", "is a zip archive, SARIF is JSON"},
	{"\xff\xfe", "is UTF-16, SARIF is UTF-8"},
	{"\xfe\xff", "is UTF-16, SARIF is UTF-8"},
}

// contents reads a log without a byte order mark. It rejects other file formats.
func contents(r io.Reader) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(r, LargestLog+1))
	switch {
	case err != nil:
		return nil, err
	case len(data) > LargestLog:
		return nil, fmt.Errorf("it is larger than %d MiB", LargestLog>>20)
	}
	for _, f := range foreign {
		if bytes.HasPrefix(data, []byte(f.magic)) {
			return nil, fmt.Errorf("it %s", f.what)
		}
	}
	if data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf")); len(bytes.TrimSpace(data)) == 0 {
		return nil, errors.New("it is empty")
	}
	return data, nil
}

// locate adds the line to an error of syntax.
func locate(data []byte, err error) error {
	syntax, ok := errors.AsType[*json.SyntaxError](err)
	if !ok {
		return fmt.Errorf(" %w", err)
	}
	before := data[:max(0, min(int(syntax.Offset)-1, len(data)))]
	if strings.HasPrefix(syntax.Error(), "unexpected end") {
		before, err = data, errors.New("it ends before the log does")
	}
	return fmt.Errorf("%d: %w", 1+bytes.Count(before, []byte("\n")), err)
}

// malformation describes a value of the wrong type. It returns "" for other errors.
func malformation(err error) string {
	wrong, ok := errors.AsType[*json.UnmarshalTypeError](err)
	if !ok {
		return ""
	}
	kind, _, _ := strings.Cut(wrong.Value, " ")
	if field := wrong.Field[strings.LastIndexByte(wrong.Field, '.')+1:]; field != "" {
		return fmt.Sprintf("its %s is of the type %s", field, kind)
	}
	return "it is of the type " + kind
}

const notAsSARIFSays = "it is not as SARIF says: "

// decode reads a value that must have the right type.
func decode(data []byte, v any) error {
	err := json.Unmarshal(data, v)
	if wrong := malformation(err); wrong != "" {
		return errors.New(notAsSARIFSays + wrong)
	}
	return err
}
