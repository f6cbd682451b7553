package gitstore

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/go-git/go-git/v5/plumbing/object"
)

// identity returns who is the AUTHOR or COMMITTER, and when, from where git takes it: environment, then settings.
func (g *inProcess) identity(role string) (object.Signature, error) {
	key := strings.ToLower(role)
	who := object.Signature{
		Name:  firstOf(os.Getenv("GIT_"+role+"_NAME"), g.conf.get(key+".name"), g.conf.get("user.name")),
		Email: firstOf(os.Getenv("GIT_"+role+"_EMAIL"), g.conf.get(key+".email"), g.conf.get("user.email"), os.Getenv("EMAIL")),
		When:  time.Now(),
	}
	if who.Name == "" || who.Email == "" {
		return object.Signature{}, fmt.Errorf("commit: %w", ErrNoIdentity)
	}
	if date := os.Getenv("GIT_" + role + "_DATE"); date != "" {
		when, ok := parseDate(date)
		if !ok {
			return object.Signature{}, fmt.Errorf("commit: GIT_%s_DATE %q is not understood: use RFC 3339", role, date)
		}
		who.When = when
	}
	return who, nil
}

func firstOf(values ...string) string {
	for _, v := range values {
		if v != "" {
			return v
		}
	}
	return ""
}

// dateLayouts are the forms of dates that git and people write.
var dateLayouts = []string{time.RFC3339, "2006-01-02 15:04:05 -0700", "2006-01-02T15:04:05 -0700", time.RFC1123Z}

// parseDate reads a date as git takes it from the environment: "@1767225600 +0100" or one of the layouts.
func parseDate(text string) (time.Time, bool) {
	for _, layout := range dateLayouts {
		if when, err := time.Parse(layout, text); err == nil {
			return when, true
		}
	}
	seconds, zone, _ := strings.Cut(strings.TrimPrefix(text, "@"), " ")
	unix, err := strconv.ParseInt(seconds, 10, 64)
	if err != nil {
		return time.Time{}, false
	}
	at := time.UTC
	if offset, err := time.Parse("-0700", zone); err == nil {
		at = offset.Location()
	}
	return time.Unix(unix, 0).In(at), true
}

// AuthorName is who git would name as the author of a commit that is made here; ErrNoIdentity when it does not know.
func (r *Repo) AuthorName(ctx context.Context) (string, error) { return r.backend.authorName(ctx) }
