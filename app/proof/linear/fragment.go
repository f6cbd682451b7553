package main

import (
	"strconv"
	"strings"
)

// form is how a fragment becomes a text of any length.
type form string

const (
	repeated form = "repeated" // abababab
	nested   form = "nested"   // aaaabbbb
	led      form = "led"      // abbbbbbb
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

// text makes a text of about a size.
func (f fragment) text(size int) string {
	var b strings.Builder
	b.Grow(size + size/4)
	before, behind, _ := strings.Cut(readers[f.Reader].wraps[f.Wrap], "\x00")
	b.WriteString(before)
	number := 0
	until := func(part string, size int) {
		pieces := strings.Split(part, "#")
		for part != "" && b.Len() < size {
			number++
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
		number = 0
		until(f.B, size)
	case led:
		b.WriteString(f.A)
		until(f.B, size)
	}
	b.WriteString(behind)
	return b.String()
}

// fragments lists those of a reader: what is known to be slow and each token by itself, or else each two of them.
func (g grammar) fragments(reader string, pairs bool) []fragment {
	var out []fragment
	all := joined(g.tokens, g.known)
	for w := range g.wraps {
		if !pairs {
			for _, a := range all {
				out = append(out, fragment{reader, w, repeated, a, ""})
			}
			continue
		}
		for _, a := range g.tokens {
			for _, b := range g.tokens {
				if a != b {
					out = append(out, fragment{reader, w, repeated, a, b}, fragment{reader, w, nested, a, b})
				}
			}
		}
		for _, a := range g.known {
			for _, b := range all {
				if a != b {
					out = append(out, fragment{reader, w, repeated, a, b}, fragment{reader, w, nested, a, b})
				}
			}
		}
	}
	return out
}
