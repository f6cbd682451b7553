package cli_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"html"
	"io"
	"net"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/causaldocs/causal/app/githubsim"
	_ "github.com/causaldocs/causal/app/githubsim/openapi/contract" // every request is held to GitHub's description
	"github.com/causaldocs/causal/knowledge/testmode"
	"github.com/causaldocs/causal/webhooks/queue/queuetest"
)

// carryOut carries out a recorded call and returns its output.
func (s *shell) carryOut(c call) string {
	s.Helper()
	line := strings.Join(c.Args, " ")
	switch {
	case strings.HasPrefix(line, "causal serve"):
		s.publishes(c.Args[1:], c.Dir, c.Env)
	case strings.HasPrefix(line, "causal demo --serve"):
		p := s.start(c.Args[1:], c.Dir, c.Env)
		p.waitFor("press Ctrl-C")
		p.interrupt()
	case strings.HasPrefix(line, "causal mcp --http"):
		p := s.start([]string{"mcp", "--http", "127.0.0.1:0"}, c.Dir, c.Env)
		printed := p.waitFor("token: ")
		at := s.speaksHTTP(printed)
		p.interrupt()
		return strings.Replace(printed, at, c.Args[3], 1)
	case strings.HasPrefix(line, "docker run "):
		s.container(c)
	case strings.HasPrefix(line, "docker compose up "):
		s.compose(c)
	case strings.HasPrefix(line, "systemctl enable --now "):
		s.unit(c, c.Args[len(c.Args)-1])
	case strings.HasPrefix(line, "claude mcp add "):
		_, command, found := strings.Cut(line, " -- ")
		if !found {
			s.Fatalf("%s: there is no command after --", line)
		}
		s.speaksMCP(strings.Fields(command), c.Dir, c.Env)
	case c.Args[0] == "go":
		s.namesTests(c)
	case regexp.MustCompile(`^(docker (build -t \w+ \.|(compose )?logs \w+)|systemctl daemon-reload|journalctl --unit \w+|pip install .*)$`).MatchString(line):
	default:
		s.Fatalf("no test carries out %q", line)
	}
	return ""
}

// process is a program that runs until it is interrupted.
type process struct {
	s       *shell
	cmd     *exec.Cmd
	lines   chan string
	printed strings.Builder
}

// start starts causal, as a shell does.
func (s *shell) start(args []string, dir string, env []string) *process {
	s.Helper()
	p := &process{s: s, cmd: exec.CommandContext(s.Context(), s.program, args...), lines: make(chan string, 1000)}
	p.cmd.Dir, p.cmd.Env = dir, env
	out, in, err := os.Pipe()
	s.must(err)
	p.cmd.Stdout, p.cmd.Stderr = in, in
	s.must(p.cmd.Start())
	s.must(in.Close())
	go func() {
		for r := bufio.NewScanner(out); r.Scan(); {
			p.lines <- r.Text()
		}
		close(p.lines)
		_ = out.Close()
	}()
	return p
}

// waitFor reads the output of the process up to a line with a text.
func (p *process) waitFor(text string) string {
	p.s.Helper()
	for line := range p.lines {
		p.printed.WriteString(line + "\n")
		if strings.Contains(line, text) {
			return p.printed.String()
		}
	}
	p.s.Fatalf("%v ended with %v before it printed %q:\n%s", p.cmd.Args, p.cmd.Wait(), text, &p.printed)
	return ""
}

// interrupt ends the process as Ctrl-C does.
func (p *process) interrupt() {
	p.s.Helper()
	p.s.must(p.cmd.Process.Signal(os.Interrupt))
	for line := range p.lines {
		p.printed.WriteString(line + "\n")
	}
	if err := p.cmd.Wait(); err != nil {
		p.s.Errorf("%v ended with %v:\n%s", p.cmd.Args, err, &p.printed)
	}
}

var (
	setupLink = regexp.MustCompile(`(http\S+)/setup\?token=(\S+)`)
	formOf    = regexp.MustCompile(`action="(http[^"]+)"`)
	manifest  = regexp.MustCompile(`name="manifest" value="([^"]+)"`)
)

// publishes starts the server with the arguments of a document, creates the App with the link that it prints, and waits until it has
// published for an installation and for a push. By default the servers of one document publish, and the others only create their App.
// Only the address that it listens on and the GitHub are the test's.
func (s *shell) publishes(args []string, dir string, env []string) {
	s.Helper()
	sim, err := githubsim.New(githubsim.Options{Dir: s.TempDir(), NoApp: true})
	s.must(err)
	defer func() { s.must(sim.Close()) }()
	repo, err := sim.CreateRepository("octo/shop", githubsim.FromFiles(shop))
	s.must(err)
	free, err := net.Listen("tcp", "127.0.0.1:0")
	s.must(err)
	listen := free.Addr().String()
	s.must(free.Close())
	p := s.start(append(slices.Clone(args), "--listen="+listen, "--admin=127.0.0.1:0", "--github-url="+sim.URL()), dir, env)
	link := setupLink.FindStringSubmatch(p.waitFor("/setup?token="))

	// The public address leads to the server, as the proxy of a user does.
	jar, err := cookiejar.New(nil)
	s.must(err)
	client := http.Client{Jar: jar, Transport: throughProxy{github: strings.TrimPrefix(sim.URL(), "http://"), server: listen}}
	post := func(address string, form url.Values) string {
		response, err := client.PostForm(address, form)
		s.must(err)
		defer response.Body.Close()
		body, err := io.ReadAll(response.Body)
		s.must(err)
		return string(body)
	}
	page := post(link[1]+"/setup", url.Values{"token": {link[2]}, "owner": {"user"}, "keep": {"file"}})
	form, text := formOf.FindStringSubmatch(page), manifest.FindStringSubmatch(page)
	if form == nil || text == nil {
		s.Fatalf("%v: the set-up shows no way to GitHub:\n%s", args, page)
	}
	if page = post(html.UnescapeString(form[1]), url.Values{"manifest": {html.UnescapeString(text[1])}}); !strings.Contains(page, "causal is set up") {
		s.Fatalf("%v: the set-up ends with\n%s", args, page)
	}
	public, err := url.PathUnescape(link[1])
	if hook := sim.App().WebhookURL; err != nil || hook != public+"/webhooks" {
		s.Errorf("%v: %v: GitHub delivers to %s", args, err, hook)
	}
	if !testmode.Long() && !strings.Contains(s.Name(), "github-app.md") {
		p.interrupt()
		s.keepsData(args, dir)
		return
	}
	sim.SetWebhook("http://" + listen + "/webhooks")
	_, err = sim.Install(repo)
	s.must(err)
	has := func(text string) func() bool {
		return func() bool { content, _ := repo.Read("main", moneyPage); return strings.Contains(content, text) }
	}
	queuetest.Eventually(s.T, "the first docs are published", has("Holds amounts."))
	_, err = repo.Push("main", githubsim.Change{Message: "Count more", Write: map[string]string{"money/money.go": strings.Replace(shop["money/money.go"], "int64", "uint64", 1)}})
	s.must(err)
	queuetest.Eventually(s.T, "the page follows a push", has("uint64"))
	p.interrupt()
	for _, v := range sim.Violations() {
		s.Errorf("%v: outside of GitHub's description: %s", args, v)
	}
	s.checkCommit(block{doc: strings.Join(args, " ")}, repo.Dir(), repo.Head("main"))
	s.keepsData(args, dir)
}

// keepsData expects the data where --data says, or in ./causal-data.
func (s *shell) keepsData(args []string, dir string) {
	s.Helper()
	data := "causal-data"
	for i, a := range args {
		if a == "--data" {
			data = args[i+1]
		}
	}
	if !filepath.IsAbs(data) {
		data = filepath.Join(dir, data)
	}
	if _, err := os.Stat(filepath.Join(data, "credentials.env")); err != nil {
		s.Errorf("%v: the data is not where it should be: %v", args, err)
	}
}

// throughProxy sends requests to the server, except those to GitHub.
type throughProxy struct{ github, server string }

func (p throughProxy) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.URL.Host != p.github {
		r = r.Clone(r.Context())
		r.URL.Scheme, r.URL.Host = "http", p.server
	}
	return http.DefaultTransport.RoundTrip(r)
}

// greeting is the first message of a client of the Model Context Protocol.
const greeting = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-03-26","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}` + "\n"

// speaksMCP expects an answer of a server on standard input and output.
func (s *shell) speaksMCP(command []string, dir string, env []string) {
	s.Helper()
	if command[0] != "causal" {
		s.Fatalf("the server is %v", command)
	}
	cmd := exec.CommandContext(s.Context(), s.program, command[1:]...)
	cmd.Dir, cmd.Env, cmd.Stdin = dir, env, strings.NewReader(greeting)
	var talk bytes.Buffer
	cmd.Stderr = &talk
	out, err := cmd.Output()
	var answer struct {
		Result struct{ ServerInfo struct{ Name string } }
	}
	if json.Unmarshal(out, &answer) != nil || answer.Result.ServerInfo.Name != "causal" {
		s.Errorf("%v: %v\n%s%s", command, err, out, &talk)
	}
}

// speaksHTTP expects the same of the server whose address and token are printed, and returns the host and port.
func (s *shell) speaksHTTP(printed string) string {
	s.Helper()
	found := regexp.MustCompile(`serving (\S+) (?s:.*)token: (\S+)`).FindStringSubmatch(printed)
	if found == nil {
		s.Fatalf("no address is printed:\n%s", printed)
	}
	request, err := http.NewRequestWithContext(context.WithoutCancel(s.Context()), http.MethodPost, found[1], strings.NewReader(greeting))
	s.must(err)
	for name, value := range map[string]string{"Authorization": "Bearer " + found[2], "Content-Type": "application/json", "Accept": "application/json, text/event-stream"} {
		request.Header.Set(name, value)
	}
	response, err := http.DefaultClient.Do(request)
	s.must(err)
	defer response.Body.Close()
	if body, err := io.ReadAll(response.Body); err != nil || response.StatusCode != http.StatusOK || !strings.Contains(string(body), `"serverInfo"`) {
		s.Errorf("%s answers %s, %v:\n%s", found[1], response.Status, err, body)
	}
	return request.URL.Host
}

var testName = regexp.MustCompile(`(?m)^func (Test\w+)\(`)

// namesTests expects the packages of "go test" and "go run", and a test for each pattern of -run.
func (s *shell) namesTests(c call) {
	s.Helper()
	dir, pattern := c.Dir, "."
	for i, a := range c.Args {
		switch {
		case a == "-C":
			dir = filepath.Join(dir, c.Args[i+1])
		case a == "-run":
			pattern = c.Args[i+1]
		case strings.HasPrefix(a, "./"):
			sources, err := filepath.Glob(filepath.Join(dir, strings.TrimSuffix(a, "..."), "*.go"))
			s.must(err)
			if slices.ContainsFunc(sources, func(name string) bool {
				data, err := os.ReadFile(name)
				s.must(err)
				if slices.Contains(c.Args, "run") {
					return strings.Contains(string(data), "\nfunc main() {")
				}
				return a == "./..." || slices.ContainsFunc(testName.FindAllStringSubmatch(string(data), -1), func(m []string) bool {
					return regexp.MustCompile(pattern).MatchString(m[1])
				})
			}) {
				continue
			}
			s.Errorf("%v in %s: %s has no such test or program", c.Args, dir, a)
		}
	}
}
