package githubsim

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

type object = map[string]any

type call struct {
	s    *Server
	r    *http.Request
	op   string // operationId
	body []byte
	who  *principal
	repo *Repository // for operations below /repos
}

type reply struct {
	status int
	body   any
	header http.Header
	items  []object // a list, which is paginated
	under  string   // the list's field, beside total_count; empty: the list is the body
	cursor bool     // pagination by cursor instead of page number
}

func ok(body object) reply      { return reply{status: http.StatusOK, body: body} }
func created(body object) reply { return reply{status: http.StatusCreated, body: body} }
func nothing() reply            { return reply{status: http.StatusNoContent} }
func list(items []object) reply { return reply{status: http.StatusOK, items: items} }

type refusal struct {
	status  int
	message string
	errors  any // objects or strings
	header  http.Header
	url     string
}

func (r *refusal) Error() string { return fmt.Sprintf("%d %s", r.status, r.message) }

func fail(status int, format string, args ...any) error {
	return &refusal{status: status, message: fmt.Sprintf(format, args...)}
}

// invalid is a validation error (422).
func invalid(resource, field, code, message string) error {
	e := object{"resource": resource, "field": field, "code": code}
	if message != "" {
		e["message"] = message
	}
	return &refusal{status: http.StatusUnprocessableEntity, message: "Validation Failed", errors: []object{e}}
}

// failure is an error of the simulator itself: of its disk, or of git.
type failure struct{ error }

// must panics with a failure. Handlers and what they call panic with an error that ends the request or the call, which
// rescue returns: no code between can do anything about it.
func must(err error) {
	if err != nil {
		panic(failure{err})
	}
}

// rescue is deferred by whoever calls handlers.
func rescue(err *error) {
	switch p := recover().(type) {
	case nil:
	case *refusal:
		*err = p
	case *graphError:
		*err = p
	case failure:
		*err = p
	default:
		panic(p)
	}
}

// change runs a method that tests and the demonstration call.
func (s *Server) change(do func()) (err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	defer rescue(&err)
	do()
	return nil
}

var errNotFound = &refusal{status: http.StatusNotFound, message: "Not Found"}

// operate carries out an operation. The id is empty for a request that is refused because it is none.
func (s *Server) operate(w http.ResponseWriter, r *http.Request, id string, refused error) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	c := &call{s: s, r: r, body: body, who: anonymous, op: id}
	s.serve(w, c, func() answer { return s.answer(c, refused) })
}

func (s *Server) answer(c *call, err error) answer {
	if err == nil {
		err = c.identify()
	}
	if err == nil && c.op != "rate-limit/get" {
		err = s.limits.spend(s, c.who, "core")
	}
	var out reply
	if err == nil {
		out, err = c.run()
	}
	var a answer
	if err != nil {
		a = c.refuse(err)
	} else {
		a = c.finish(out)
	}
	s.checkAnswer(c, a)
	s.note(c, a.status)
	s.limits.headers(s, c.who, "core", a.header)
	return s.conditional(c, a)
}

// identify authenticates the caller. A caller with bad credentials stays anonymous.
func (c *call) identify() error {
	who, err := c.s.identify(c.r)
	if err == nil {
		c.who = who
	}
	return err
}

func (c *call) run() (out reply, err error) {
	defer rescue(&err)
	do := operations[c.op]
	if c.s.contract != nil {
		if err := c.s.contract.CheckRequest(c.op, c.r, c.body); err != nil {
			c.s.violate("%s %s: %v", c.r.Method, c.r.URL.Path, err)
			return reply{}, fail(http.StatusUnprocessableEntity, "Invalid request.\n\n%v", err)
		}
	}
	if err := c.admit(do); err != nil {
		return reply{}, err
	}
	return do.do(c), nil
}

func (c *call) admit(do operation) error {
	switch {
	case do.as == asApp && c.who.app == nil:
		return fail(http.StatusUnauthorized, "A JSON web token could not be decoded")
	case do.as == asInstallation && c.who.installation == nil:
		return fail(http.StatusForbidden, "Resource not accessible by integration")
	case do.as == asUser && !c.who.user:
		return fail(http.StatusForbidden, "You must authenticate with an access token authorized to a GitHub App in order to list installations")
	case do.as == asRepository:
		return c.admitTo(do.needs)
	}
	return c.findAsked()
}

// findAsked finds the repository, if any, of a request by the App itself.
func (c *call) findAsked() error {
	if c.r.PathValue("repo") == "" {
		return nil
	}
	c.repo = c.s.lookup(c.r.PathValue("owner"), c.r.PathValue("repo"))
	if c.repo == nil {
		return errNotFound
	}
	return nil
}

// admitTo finds the repository of a call and checks the permission, or any one of several alternatives.
func (c *call) admitTo(needs string) error {
	full := c.r.PathValue("owner") + "/" + c.r.PathValue("repo")
	if repo, ok := c.s.moved[lower(full)]; ok && c.who.sees(repo) {
		return c.redirect(repo)
	}
	c.repo = c.s.lookup(c.r.PathValue("owner"), c.r.PathValue("repo"))
	if c.repo == nil || !c.who.sees(c.repo) {
		return errNotFound
	}
	allowed := false
	for need := range strings.SplitSeq(needs, "|") {
		allowed = allowed || c.who.may(c.repo, need)
	}
	switch {
	case !allowed && !c.who.known():
		return fail(http.StatusUnauthorized, "Requires authentication")
	case !allowed:
		return fail(http.StatusForbidden, "Resource not accessible by integration")
	case c.repo.archived && c.r.Method != http.MethodGet:
		return fail(http.StatusForbidden, "Repository was archived so is read-only.")
	}
	return nil
}

// redirect sends a client that uses a former name to the repository's id.
func (c *call) redirect(repo *Repository) error {
	_, rest, _ := strings.Cut(strings.TrimPrefix(c.r.URL.EscapedPath(), "/api/v3/repos/"), "/")
	_, rest, below := strings.Cut(rest, "/")
	to := fmt.Sprintf("%s/repositories/%d", c.s.APIURL(), repo.id)
	if below {
		to += "/" + rest
	}
	if c.r.URL.RawQuery != "" {
		to += "?" + c.r.URL.RawQuery
	}
	status := http.StatusMovedPermanently
	if c.r.Method != http.MethodGet {
		status = http.StatusTemporaryRedirect
	}
	return &refusal{status: status, message: "Moved Permanently", header: http.Header{"Location": {to}}, url: to}
}

func (c *call) read(into any) {
	if len(c.body) == 0 {
		return
	}
	if err := json.Unmarshal(c.body, into); err != nil {
		panic(fail(http.StatusBadRequest, "Problems parsing JSON"))
	}
}

func (c *call) number(name string) int64 {
	n, err := strconv.ParseInt(c.r.PathValue(name), 10, 64)
	if err != nil {
		return -1
	}
	return n
}

func (c *call) query() url.Values { return c.r.URL.Query() }

func stamp(t time.Time) any {
	if t.IsZero() {
		return nil
	}
	return t.UTC().Format(time.RFC3339)
}

func (c *call) refuse(err error) answer {
	var r *refusal
	if !errors.As(err, &r) {
		c.s.violate("%s: the simulator failed: %v", c.op, err)
		r = &refusal{status: http.StatusInternalServerError, message: "Server Error"}
	}
	body := object{"message": r.message, "documentation_url": "https://docs.github.com/rest", "status": strconv.Itoa(r.status)}
	if r.errors != nil {
		body["errors"] = r.errors
	}
	if r.url != "" {
		body["url"] = r.url
	}
	return c.finish(reply{status: r.status, body: body, header: r.header})
}
