package githubsim

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"strconv"
	"strings"
)

type answer struct {
	status int
	header http.Header
	body   []byte
}

func (c *call) finish(r reply) answer {
	a := answer{status: r.status, header: http.Header{}}
	maps.Copy(a.header, r.header)
	a.header.Set("X-Github-Media-Type", "github.v3; format=json")
	a.header.Set("X-Github-Request-Id", fmt.Sprintf("SIM0:%X", len(c.s.requests)))
	a.header.Set("Date", c.s.time().Format(http.TimeFormat))
	if r.items != nil || r.body == nil && r.status == http.StatusOK {
		r.body = c.page(r, a.header)
	}
	if r.body == nil {
		return a
	}
	a.header.Set("Content-Type", "application/json; charset=utf-8")
	a.body = encode(r.body)
	return a
}

func encode(value any) []byte {
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	_ = e.Encode(value) // views contain only values that JSON can encode
	return bytes.TrimRight(out.Bytes(), "\n")
}

func (c *call) page(r reply, header http.Header) any {
	query := c.query()
	size := min(positive(query.Get("per_page"), 30), 100)
	number, total := positive(query.Get("page"), 1), len(r.items)
	from := min((number-1)*size, total)
	if r.cursor {
		from = min(positive(query.Get("cursor"), 1)-1, total)
	}
	to := min(from+size, total)
	if links := c.links(r.cursor, number, (total+size-1)/size, to, total); links != "" {
		header.Set("Link", links)
	}
	items := append([]object{}, r.items[from:to]...)
	if r.under == "" {
		return items
	}
	return object{"total_count": total, r.under: items}
}

func (c *call) links(cursor bool, number, last, to, total int) string {
	to1 := func(rel, key string, value int) string {
		u := *c.r.URL
		query := u.Query()
		query.Set(key, strconv.Itoa(value))
		u.RawQuery = query.Encode()
		return fmt.Sprintf(`<%s%s>; rel="%s"`, c.s.url, u.RequestURI(), rel)
	}
	var out []string
	if cursor {
		if to < total {
			out = append(out, to1("next", "cursor", to+1))
		}
		return strings.Join(out, ", ")
	}
	if number > 1 {
		out = append(out, to1("prev", "page", number-1))
	}
	if number < last {
		out = append(out, to1("next", "page", number+1), to1("last", "page", last))
	}
	if number > 1 {
		out = append(out, to1("first", "page", 1))
	}
	return strings.Join(out, ", ")
}

func positive(text string, otherwise int) int {
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		return otherwise
	}
	return n
}

func (s *Server) checkAnswer(c *call, a answer) {
	if c.op == "" || s.contract == nil {
		return
	}
	if err := s.contract.CheckResponse(c.op, c.r, a.status, a.header, a.body); err != nil {
		s.violate("answer %d to %s %s: %v", a.status, c.r.Method, c.r.URL.Path, err)
	}
}

// conditional answers 304 if the client's ETag matches. Such a request does not count against the rate limit.
func (s *Server) conditional(c *call, a answer) answer {
	if c.r.Method != http.MethodGet || a.status != http.StatusOK {
		return a
	}
	tag := fmt.Sprintf(`W/"%x"`, sha256.Sum256(a.body))
	a.header.Set("ETag", tag)
	a.header.Set("Cache-Control", "private, max-age=60, s-maxage=60")
	a.header.Set("Vary", "Accept, Authorization, Cookie, X-GitHub-OTP")
	if c.r.Header.Get("If-None-Match") != tag {
		return a
	}
	s.limits.refund(c.who, "core")
	s.limits.headers(s, c.who, "core", a.header)
	a.header.Del("Content-Type")
	return answer{status: http.StatusNotModified, header: a.header}
}

func (a answer) send(w http.ResponseWriter) {
	maps.Copy(w.Header(), a.header)
	w.WriteHeader(a.status)
	_, _ = w.Write(a.body)
}
