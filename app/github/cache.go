package github

import (
	"bytes"
	"io"
	"maps"
	"net/http"
	"sync"
)

// answers caches answers with their ETags, bounded in bytes; a full cache begins again. Every request is revalidated: an
// unchanged answer does not count against the rate limit.
type answers struct {
	mu    sync.Mutex
	limit int
	bytes int
	byKey map[string]*answer
}

type answer struct {
	etag   string
	header http.Header
	body   []byte
}

const (
	rememberedBytes = 32 << 20
	largestAnswer   = 1 << 20
)

func newAnswers(limit int) *answers { return &answers{limit: limit, byKey: map[string]*answer{}} }

func (a *answers) get(key string) (*answer, bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	known, ok := a.byKey[key]
	return known, ok
}

func (a *answers) put(key string, fresh *answer) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.bytes += fresh.size(); a.bytes > a.limit {
		a.bytes, a.byKey = fresh.size(), map[string]*answer{}
	}
	a.byKey[key] = fresh // a replaced answer stays counted until the cache begins again
}

// size includes an estimate of the key and the headers.
func (a *answer) size() int { return len(a.body) + 1024 }

// cached makes reads conditional. The cache key includes the subject because permissions differ between tokens.
type cached struct {
	next    http.RoundTripper
	answers *answers
	subject string
}

// RoundTrip implements http.RoundTripper. The next transport returns complete answers.
func (c *cached) RoundTrip(req *http.Request) (*http.Response, error) {
	if req.Method != http.MethodGet {
		return c.next.RoundTrip(req)
	}
	key := c.subject + " " + req.Header.Get("Accept") + " " + req.URL.String()
	known, ok := c.answers.get(key)
	if ok {
		req = req.Clone(req.Context())
		req.Header.Set("If-None-Match", known.etag)
	}
	resp, err := c.next.RoundTrip(req)
	if err != nil {
		return nil, err
	}
	if ok && resp.StatusCode == http.StatusNotModified {
		return known.revived(resp), nil
	}
	return resp, c.keep(key, resp)
}

func (c *cached) keep(key string, resp *http.Response) error {
	etag := resp.Header.Get("ETag")
	if resp.StatusCode != http.StatusOK || etag == "" {
		return nil
	}
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		return err
	}
	resp.Body = io.NopCloser(bytes.NewReader(body))
	if len(body) <= largestAnswer {
		c.answers.put(key, &answer{etag: etag, header: resp.Header.Clone(), body: body})
	}
	return nil
}

func (a *answer) revived(confirmed *http.Response) *http.Response {
	header := a.header.Clone()
	maps.Copy(header, confirmed.Header)
	return &http.Response{
		Status: "200 OK", StatusCode: http.StatusOK, Proto: confirmed.Proto, ProtoMajor: confirmed.ProtoMajor,
		ProtoMinor: confirmed.ProtoMinor, Header: header, Body: io.NopCloser(bytes.NewReader(a.body)),
		ContentLength: int64(len(a.body)), Request: confirmed.Request,
	}
}
