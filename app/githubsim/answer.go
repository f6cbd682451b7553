package githubsim

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"strconv"
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

// page returns one page of a list and links to the next one, which is all that clients follow.
func (c *call) page(r reply, header http.Header) any {
	query := c.query()
	size, total := min(positive(query.Get("per_page"), 30), 100), len(r.items)
	key, next := "page", positive(query.Get("page"), 1)+1
	from := min((next-2)*size, total)
	if r.cursor {
		from = min(positive(query.Get("cursor"), 1)-1, total)
		key, next = "cursor", from+size+1
	}
	to := min(from+size, total)
	if to < total {
		query.Set(key, strconv.Itoa(next))
		u := *c.r.URL
		u.RawQuery = query.Encode()
		header.Set("Link", fmt.Sprintf(`<%s%s>; rel="next"`, c.s.url, u.RequestURI()))
	}
	items := append([]object{}, r.items[from:to]...)
	if r.under == "" {
		return items
	}
	return object{"total_count": total, r.under: items}
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
