package webhooks

import (
	"encoding/hex"
	"errors"
	"io"
)

// form hands on the field "payload" of a form as it arrives, without the form's own writing.
type form struct {
	next io.Writer

	err    error
	name   []byte // of the present field, as far as it can matter
	value  bool   // its value has begun
	found  bool   // the field has begun, or is over
	escape bool   // an escape has begun
	digits []byte // of that escape
	plain  []byte // what is to be handed on
}

// Write takes the next piece of the form. It never fails: what is wrong with the form is told by end.
func (f *form) Write(p []byte) (int, error) {
	f.plain = f.plain[:0]
	for _, c := range p {
		f.take(c)
	}
	_, err := f.next.Write(f.plain)
	return len(p), err
}

// payloadField is the field that a delivery is in.
const payloadField = "payload"

func (f *form) take(c byte) {
	switch {
	case c == '&':
		_ = f.end() // it is asked again when the form is over
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

// begin refuses a second payload: which of them counts would be a matter of taste.
func (f *form) begin() {
	if f.found {
		f.fail("the form has two payloads")
	}
	f.found = true
}

// fail keeps the first problem: whoever has no secret may send any number of them.
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

// end tells what is wrong with the form up to here.
func (f *form) end() error {
	if f.escape {
		f.fail("the form ends within an escape")
	}
	f.escape = false
	return f.err
}
