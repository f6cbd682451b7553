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

type document struct {
	dec   *json.Decoder
	from  *bufio.Reader
	read  int64 // bytes given to the decoder
	lines int
}

func newDocument(r io.Reader) *document {
	d := &document{from: bufio.NewReader(r)}
	d.dec = json.NewDecoder(d)
	return d
}

// Read fills the decoder's buffer, because the decoder rescans an incomplete value after each read.
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

var foreign = []struct{ magic, what string }{
	{"\x1f\x8b", "is compressed, SARIF is JSON"},
	{"PK\x03\x04", "is a zip archive, SARIF is JSON"},
	{"\xff\xfe", "is UTF-16, SARIF is UTF-8"},
	{"\xfe\xff", "is UTF-16, SARIF is UTF-8"},
}

// begin rejects other file formats and skips a byte order mark.
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

func (d *document) end() error {
	if _, err := d.dec.Token(); !errors.Is(err, io.EOF) {
		if err == nil {
			err = errors.New("something follows the log")
		}
		return err
	}
	return nil
}

// open reads the opening bracket of a value. It returns false for null.
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

func (d *document) value(v any) (malformed string, err error) {
	err = d.dec.Decode(v)
	if malformed = malformation(err); malformed != "" {
		return malformed, nil
	}
	return "", err
}

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

type ignored struct{}

func (*ignored) UnmarshalJSON([]byte) error { return nil }

// skip skips a value. It reads the outer levels, which list files and rules, in parts, so the size limit applies to
// each part.
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

func (d *document) locate(err error) error {
	rest, _ := io.ReadAll(d.dec.Buffered())
	switch syntax, ok := errors.AsType[*json.SyntaxError](err); {
	case ok && !strings.HasPrefix(syntax.Error(), "expected "):
		// The decoder's own offset excludes the text between values.
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
