package sarif

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
)

// document reads one JSON text, a value at a time, and knows the line that it is at.
type document struct {
	dec   *json.Decoder
	from  *bufio.Reader
	read  int64 // bytes and line ends that the decoder was given
	lines int
}

func newDocument(r io.Reader) *document {
	d := &document{from: bufio.NewReader(r)}
	d.dec = json.NewDecoder(d)
	return d
}

// Read gives the decoder as much as it has room for: whatever it holds of a value, it goes over again for each part that comes.
func (d *document) Read(p []byte) (int, error) {
	if d.read > LargestLog {
		return 0, fmt.Errorf("it is larger than %d MiB", LargestLog>>20)
	}
	if d.read-d.dec.InputOffset() > largestValue {
		return 0, fmt.Errorf("one value is larger than %d MiB", largestValue>>20)
	}
	n, err := io.ReadFull(d.from, p)
	if errors.Is(err, io.ErrUnexpectedEOF) {
		err = io.EOF
	}
	d.read += int64(n)
	d.lines += bytes.Count(p[:n], []byte("\n"))
	return n, err
}

// foreign are the first bytes of what is given by mistake.
var foreign = []struct{ magic, what string }{
	{"\x1f\x8b", "is compressed, SARIF is JSON"},
	{"PK\x03\x04", "is a zip archive, SARIF is JSON"},
	{"\xff\xfe", "is UTF-16, SARIF is UTF-8"},
	{"\xfe\xff", "is UTF-16, SARIF is UTF-8"},
}

// begin passes over a byte order mark.
func (d *document) begin() error {
	const bom = "\xef\xbb\xbf"
	start, err := d.from.Peek(4)
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	for _, f := range foreign {
		if strings.HasPrefix(string(start), f.magic) {
			return fmt.Errorf("it %s", f.what)
		}
	}
	if strings.HasPrefix(string(start), bom) {
		_, err = d.from.Discard(len(bom))
		return err
	}
	return nil
}

// end reports whether nothing follows.
func (d *document) end() error {
	if _, err := d.dec.Token(); !errors.Is(err, io.EOF) {
		if err == nil {
			err = errors.New("something follows the log")
		}
		return err
	}
	return nil
}

// open reads the bracket that a value begins with. It returns false for null, which is as good as nothing.
func (d *document) open(bracket json.Delim, what, kind string) (bool, error) {
	t, err := d.dec.Token()
	if err != nil || t == nil {
		return false, err
	}
	if t != bracket {
		return false, fmt.Errorf("%s is no %s", what, kind)
	}
	return true, nil
}

// object reads an object. The function reads the value of each member.
func (d *document) object(what string, member func(key string) error) error {
	if ok, err := d.open('{', what, "object"); !ok {
		return err
	}
	for d.dec.More() {
		key, err := d.dec.Token()
		if err != nil {
			return err
		}
		name, _ := key.(string)
		if err := member(name); err != nil {
			return err
		}
	}
	_, err := d.dec.Token()
	return err
}

// array reads an array. The function reads an element.
func (d *document) array(what string, element func() error) error {
	if ok, err := d.open('[', what, "list"); !ok {
		return err
	}
	for d.dec.More() {
		if err := element(); err != nil {
			return err
		}
	}
	_, err := d.dec.Token()
	return err
}

// value reads a value as far as it has the types that are expected, and says which of its members has another.
func (d *document) value(v any) (malformed string, err error) {
	err = d.dec.Decode(v)
	if malformed = malformation(err); malformed != "" {
		return malformed, nil
	}
	return "", err
}

// malformation says which part of a value has another type than it should; nothing of any other error.
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

// ignored is a value that nobody looks at.
type ignored struct{}

func (*ignored) UnmarshalJSON([]byte) error { return nil }

// skip passes over a value. The outer levels, which list files and rules, are read by their parts; those are bounded as all values.
func (d *document) skip() error { return d.skipParts(4) }

func (d *document) skipParts(levels int) error {
	if levels == 0 {
		return d.dec.Decode(new(ignored))
	}
	bracket, err := d.dec.Token()
	if bracket != json.Delim('{') && bracket != json.Delim('[') {
		return err
	}
	for d.dec.More() {
		if bracket == json.Delim('{') {
			if _, err := d.dec.Token(); err != nil {
				return err
			}
		}
		if err := d.skipParts(levels - 1); err != nil {
			return err
		}
	}
	_, err = d.dec.Token()
	return err
}

// locate puts the line before an error that reading has ended with.
func (d *document) locate(err error) error {
	rest, _ := io.ReadAll(d.dec.Buffered())
	switch syntax, ok := errors.AsType[*json.SyntaxError](err); {
	case ok && !strings.HasPrefix(syntax.Error(), "expected "):
		// What the decoder tells is not where it is in the text: it does not count what lies between values.
		if again, ok := errors.AsType[*json.SyntaxError](json.Unmarshal(rest, new(ignored))); ok {
			rest = rest[max(0, min(int(again.Offset)-1, len(rest))):]
		}
	case errors.Is(err, io.EOF) && d.read == 0:
		err = errors.New("it is empty")
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		rest, err = nil, errors.New("it ends before the log does")
	}
	return fmt.Errorf("%d: %w", 1+d.lines-bytes.Count(rest, []byte("\n")), err)
}
