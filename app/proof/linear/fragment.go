package main

import (
	"iter"
	"strconv"
	"strings"
)

// form is how a fragment becomes a text of any length.
type form string

const (
	repeated form = "repeated" // abababab
	nested   form = "nested"   // aaaabbbb
)

// fragment is a text that can be made of any length.
type fragment struct {
	Reader string
	Wrap   int // which of the reader's wraps it stands in
	Form   form
	A, B   string
}

func (f fragment) String() string {
	text := strconv.Quote(f.A)
	if f.B != "" {
		text += " " + strconv.Quote(f.B)
	}
	if f.Form != repeated {
		text += " " + string(f.Form)
	}
	if w := readers[f.Reader].wraps[f.Wrap]; w != "" {
		text += " in " + strconv.Quote(w)
	}
	return f.Reader + ": " + text
}

// alike is what the number of repetitions is a multiple of: of quotes, and of what begins and ends a comment, an even number
// means something else than an odd one.
const alike = 4

// text makes a text of about a size.
func (f fragment) text(size int) string {
	var b strings.Builder
	b.Grow(size + size/4)
	before, behind, _ := strings.Cut(readers[f.Reader].wraps[f.Wrap], "\x00")
	b.WriteString(before)
	until := func(part string, size int) {
		pieces := strings.Split(part, "#")
		for number := 1; part != "" && (b.Len() < size || number%alike != 1); number++ {
			for i, p := range pieces {
				if i > 0 {
					b.WriteString(strconv.Itoa(number))
				}
				b.WriteString(p)
			}
		}
	}
	switch f.Form {
	case repeated:
		until(f.A+f.B, size)
	case nested:
		until(f.A, size/2)
		until(f.B, size)
	}
	b.WriteString(behind)
	return b.String()
}

// fragments goes over those of a reader: each token by itself and what is known to be slow, and each two of them.
func (r *reader) fragments(name string) iter.Seq[fragment] {
	all := joined(r.tokens, r.known)
	return func(yield func(fragment) bool) {
		for w := range r.wraps {
			for _, a := range all {
				if !yield(fragment{name, w, repeated, a, ""}) {
					return
				}
				for _, b := range all {
					if a != b && !(yield(fragment{name, w, repeated, a, b}) && yield(fragment{name, w, nested, a, b})) {
						return
					}
				}
			}
		}
	}
}
