package webhooks

import (
	"encoding/json"
	"errors"
	"strings"
)

func (s *sieve) name(p []byte) []byte {
	switch c := p[0]; {
	case blank(c):
	case c == '}' && !s.top().any:
		return s.leave(p)
	case c == '"':
		s.key = s.key[:0]
		if l := s.top(); l.treatment == copied {
			if l.any {
				s.keep(',')
			}
			s.keep(c)
		}
		s.step = (*sieve).nameText
	default:
		return s.fail(c, "where the name of a member begins")
	}
	return p[1:]
}

const longestName = 32

func (s *sieve) nameText(p []byte) []byte {
	c := p[0]
	if s.top().treatment == copied {
		s.keep(c)
	}
	switch {
	case c == '"':
		s.step = (*sieve).colon
		return p[1:]
	case c == '\\':
		s.step = (*sieve).nameEscape
	}
	if len(s.key) < longestName {
		s.key = append(s.key, c) // backslashes too: no selected name has one
	}
	return p[1:]
}

func (s *sieve) nameEscape(p []byte) []byte {
	if s.top().treatment == copied {
		s.keep(p[0])
	}
	s.step = (*sieve).nameText
	return p[1:]
}

func (s *sieve) colon(p []byte) []byte {
	switch c := p[0]; {
	case blank(c):
	case c == ':':
		if s.top().treatment == copied {
			s.keep(c)
		}
		s.step = (*sieve).value
	default:
		return s.fail(c, "where a colon belongs")
	}
	return p[1:]
}

func (s *sieve) text(p []byte) []byte {
	n := 0
	for n < len(p) && p[n] != '"' && p[n] != '\\' {
		n++
	}
	s.keepText(p[:n])
	if n == len(p) {
		return nil
	}
	if p[n] == '"' {
		s.keepLoud(p[n : n+1])
		s.step = (*sieve).next
		return p[n+1:]
	}
	if s.left = 0; !s.brief { // a truncated escape would be invalid
		s.keepLoud(p[n : n+1])
	}
	s.step = (*sieve).escape
	return p[n+1:]
}

func (s *sieve) escape(p []byte) []byte {
	s.keepText(p[:1])
	s.step = (*sieve).text
	return p[1:]
}

func (s *sieve) keepText(text []byte) {
	if s.brief {
		text = text[:min(len(text), s.left)]
		s.left -= len(text)
	}
	s.keepLoud(text)
}

func (s *sieve) keepLoud(text []byte) {
	if s.loud {
		s.keep(text...)
	}
}

func (s *sieve) plain(p []byte) []byte {
	n := 0
	for n < len(p) && !blank(p[n]) && !strings.ContainsRune(`,:]}[{"`, rune(p[n])) {
		n++
	}
	if len(s.scalar)+n > longestScalar {
		s.err = errors.New("a number or a literal is too long")
		return nil
	}
	s.scalar = append(s.scalar, p[:n]...)
	if n == len(p) {
		return nil
	}
	if !json.Valid(s.scalar) {
		return s.fail(p[n], "closes no open value")
	}
	s.keepLoud(s.scalar)
	s.step = (*sieve).next
	return p[n:]
}

func (s *sieve) next(p []byte) []byte {
	c := p[0]
	if blank(c) {
		return p[1:]
	}
	if len(s.levels) == 0 {
		return s.fail(c, "after the end")
	}
	switch list := s.top().list; {
	case c == ',' && list:
		s.step = (*sieve).value
	case c == ',':
		s.step = (*sieve).name
	case c == ']' && list, c == '}' && !list:
		return s.leave(p)
	default:
		return s.fail(c, "where a comma or an end belongs")
	}
	return p[1:]
}
