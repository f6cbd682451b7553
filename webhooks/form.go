package webhooks

import (
	"encoding/hex"
	"errors"
	"io"
)

// form extracts the field "payload" of a URL-encoded form as it arrives.
type form struct {
	next io.Writer

	err    error
	name   []byte // of the current field, truncated
	value  bool   // the value has begun
	found  bool   // a payload field has begun
	escape bool   // inside a percent escape
	digits []byte // digits of the escape
	plain  []byte // decoded output
}

// Write takes the next piece of the form. It never fails: end reports errors.
func (f *form) Write(p []byte) (int, error) {
	f.plain = f.plain[:0]
	for _, c := range p {
		f.take(c)
	}
	_, err := f.next.Write(f.plain)
	return len(p), err
}

const payloadField = "payload"

func (f *form) take(c byte) {
	switch {
	case c == '&':
		_ = f.end() // the error is kept until the end of the form
		f.name, f.value = f.name[:0], false
	case !f.value && c == '=':
		f.value = true
		if string(f.name) == payloadField {
			f.begin()
		}
	case !f.value:
		if len(f.name) <= len(payloadField) {
			f.name = append(f.name, c)
		}
	case string(f.name) == payloadField:
		f.decode(c)
	}
}

func (f *form) begin() {
	if f.found {
		f.fail("the form has two payloads")
	}
	f.found = true
}

func (f *form) fail(problem string) {
	if f.err == nil {
		f.err = errors.New(problem)
	}
}

func (f *form) decode(c byte) {
	switch {
	case f.escape:
		f.digits = append(f.digits, c)
		if len(f.digits) < 2 {
			return
		}
		var one [1]byte
		if _, err := hex.Decode(one[:], f.digits); err != nil {
			f.fail("the form has a percent sign that begins no escape")
		}
		f.plain, f.escape = append(f.plain, one[0]), false
	case c == '%':
		f.escape, f.digits = true, f.digits[:0]
	case c == '+':
		f.plain = append(f.plain, ' ')
	default:
		f.plain = append(f.plain, c)
	}
}

func (f *form) end() error {
	if f.escape {
		f.fail("the form ends within an escape")
	}
	f.escape = false
	return f.err
}
