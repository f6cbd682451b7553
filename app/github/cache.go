package github

import (
	"bytes"
	"container/list"
	"io"
	"maps"
	"net/http"
	"sync"
)

// answers is an LRU cache of answers with their ETags, bounded in bytes. Every request is revalidated: an unchanged
// answer does not count against the rate limit.
type answers struct {
	mu    sync.Mutex
	limit int
	bytes int
	byKey map[string]*list.Element
	order *list.List
}

type answer struct {
	key, etag string
	header    http.Header
	body      []byte
}

const (
	rememberedBytes = 32 << 20
	largestAnswer   = 1 << 20
)

func newAnswers(limit int) *answers {
	return &answers{limit: limit, byKey: map[string]*list.Element{}, order: list.New()}
}

func (a *answers) get(key string) (*answer, bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	at, ok := a.byKey[key]
	if !ok {
		return nil, false
	}
	a.order.MoveToFront(at)
	return at.Value.(*answer), true
}

func (a *answers) put(fresh *answer) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if at, ok := a.byKey[fresh.key]; ok {
		a.drop(at)
	}
	a.byKey[fresh.key] = a.order.PushFront(fresh)
	a.bytes += fresh.size()
	for a.bytes > a.limit {
		a.drop(a.order.Back())
	}
}

func (a *answers) drop(at *list.Element) {
	old := a.order.Remove(at).(*answer)
	delete(a.byKey, old.key)
	a.bytes -= old.size()
}

func (a *answer) size() int { return len(a.body) + len(a.key) + 1024 }

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
		c.answers.put(&answer{key: key, etag: etag, header: resp.Header.Clone(), body: body})
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
