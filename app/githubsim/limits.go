package githubsim

import (
	"fmt"
	"net/http"
	"time"
)

type limits struct {
	each int
	used map[string]*spent
}

type spent struct {
	count int
	reset time.Time
}

func (l *limits) of(s *Server, who *principal, resource string) *spent {
	key := resource + " " + who.bucket()
	u, ok := l.used[key]
	if !ok || !s.time().Before(u.reset) {
		u = &spent{reset: s.time().Add(time.Hour)}
		l.used[key] = u
	}
	return u
}

func (l *limits) spend(s *Server, who *principal, resource string) error {
	u := l.of(s, who, resource)
	if u.count >= l.each {
		return fail(http.StatusForbidden, "API rate limit exceeded for %s.", who.bucket())
	}
	u.count++
	return nil
}

func (l *limits) refund(who *principal, resource string) {
	if u := l.used[resource+" "+who.bucket()]; u != nil && u.count > 0 {
		u.count--
	}
}

func (l *limits) headers(s *Server, who *principal, resource string, header http.Header) {
	for key, value := range l.view(s, who, resource) {
		header.Set("X-RateLimit-"+key, fmt.Sprint(value))
	}
	header.Set("X-Ratelimit-Resource", resource)
}

func (l *limits) view(s *Server, who *principal, resource string) object {
	u := l.of(s, who, resource)
	return object{"limit": l.each, "remaining": l.each - u.count, "used": u.count, "reset": u.reset.Unix()}
}
