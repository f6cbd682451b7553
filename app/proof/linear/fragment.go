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

// fragment generates texts of any length.
type fragment struct {
	Reader string
	Wrap   int // index in the reader's wraps
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

// alike divides the number of repetitions: an odd number of quotes or comment delimiters means something else than an even one.
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

// fragments yields each token and known slow text alone, and each pair.
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
