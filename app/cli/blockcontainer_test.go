package cli_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"go.yaml.in/yaml/v4"
)

// image is the last stage of the Dockerfile.
type image struct {
	Entrypoint, Command []string
	Dir                 string
}

// readImage reads the Dockerfile of a directory.
func (s *shell) readImage(dir string) image {
	s.Helper()
	data, err := os.ReadFile(filepath.Join(dir, "Dockerfile"))
	s.must(err)
	var out image
	for line := range strings.Lines(string(data)) {
		name, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		switch name {
		case "ENTRYPOINT":
			s.must(yaml.Unmarshal([]byte(rest), &out.Entrypoint))
		case "CMD":
			s.must(yaml.Unmarshal([]byte(rest), &out.Command))
		case "WORKDIR":
			out.Dir = filepath.Join(s.root, rest)
		}
	}
	if len(out.Entrypoint) != 1 || filepath.Base(out.Entrypoint[0]) != "causal" {
		s.Fatalf("the image runs %v", out.Entrypoint)
	}
	return out
}

// serves runs the server as the container does: with the arguments behind its entry point, in its working directory, which is a new
// volume, and with the variables that it is given.
func (s *shell) serves(dir string, args []string, env map[string]string) {
	s.Helper()
	i := s.readImage(dir)
	if len(args) == 0 {
		args = i.Command
	}
	s.must(os.RemoveAll(i.Dir))
	s.must(os.MkdirAll(i.Dir, 0o755))
	list := []string{"PATH=" + os.Getenv("PATH"), "HOME=/nonexistent", "TMPDIR=" + filepath.Join(filepath.Dir(s.root), "tmp")}
	for name, value := range env {
		list = append(list, name+"="+value)
	}
	s.publishes(args, i.Dir, list)
}

// container is "docker run OPTIONS IMAGE ARGUMENTS".
func (s *shell) container(c call) {
	s.Helper()
	env := map[string]string{}
	args := c.Args[2:]
	for strings.HasPrefix(args[0], "-") {
		switch args[0] {
		case "--init", "--detach":
			args = args[1:]
		case "--env":
			env[args[1]] = variableOf(c.Env, args[1])
			args = args[2:]
		case "--restart", "--publish", "--volume", "--name":
			args = args[2:]
		default:
			s.Fatalf("docker run: no test knows the option %s", args[0])
		}
	}
	if args[0] != "causal" {
		s.Fatalf("docker run: the image is %q", args[0])
	}
	s.serves(c.Dir, args[1:], env)
}

func variableOf(env []string, name string) string {
	for _, v := range env {
		if value, found := strings.CutPrefix(v, name+"="); found {
			return value
		}
	}
	return ""
}

// settings reads a file of variables, as Docker and systemd do.
func (s *shell) settings(name string) map[string]string {
	s.Helper()
	data, err := os.ReadFile(name)
	s.must(err)
	out := map[string]string{}
	for line := range strings.Lines(string(data)) {
		if key, value, found := strings.Cut(strings.TrimSpace(line), "="); found {
			out[key] = value
		}
	}
	return out
}

var interpolated = regexp.MustCompile(`\$\{(\w+)(?::([?-])([^}]*))?\}`)

// expand puts variables into a text; one that is required and empty fails.
func (s *shell) expand(text string, variables map[string]string) string {
	s.Helper()
	return interpolated.ReplaceAllStringFunc(text, func(found string) string {
		m := interpolated.FindStringSubmatch(found)
		switch value := variables[m[1]]; {
		case value != "":
			return value
		case m[2] == "-":
			return m[3]
		default:
			s.Errorf("%s is not set: %s", m[1], m[3])
			return ""
		}
	})
}

// compose is "docker compose up": the server of compose.yml with the variables of .env. Its database is SQLite here.
func (s *shell) compose(c call) {
	s.Helper()
	data, err := os.ReadFile(filepath.Join(c.Dir, "compose.yml"))
	s.must(err)
	var file struct {
		Services map[string]struct {
			Command     []string
			Environment map[string]string
		}
	}
	s.must(yaml.Unmarshal(data, &file))
	variables, env := s.settings(filepath.Join(c.Dir, ".env")), map[string]string{}
	for name, value := range file.Services["server"].Environment {
		env[name] = s.expand(value, variables)
	}
	s.expand(file.Services["database"].Environment["POSTGRES_PASSWORD"], variables)
	var args []string
	for _, a := range file.Services["server"].Command {
		if !strings.HasPrefix(a, "--database-url=") {
			args = append(args, s.expand(a, variables))
		}
	}
	s.serves(c.Dir, args, env)
}

// pod is the container of a Kubernetes pod.
func (s *shell) pod(args []string) {
	s.Helper()
	s.serves(filepath.Join("..", ".."), args, map[string]string{"CAUSAL_STATUS_TOKEN": strings.Repeat("t", 24)})
}

// unit is "systemctl enable --now NAME": the command of the unit, in its directories and with its variables.
func (s *shell) unit(c call, name string) {
	s.Helper()
	data, err := os.ReadFile(filepath.Join(s.root, "etc", "systemd", "system", name+".service"))
	s.must(err)
	set := map[string]string{}
	for _, m := range regexp.MustCompile(`(?m)^(ExecStart|EnvironmentFile|StateDirectory|WorkingDirectory)=(.*)$`).FindAllStringSubmatch(s.mapped(string(data)), -1) {
		set[m[1]] = m[2]
	}
	state := filepath.Join(s.root, "var", "lib", set["StateDirectory"])
	s.must(os.MkdirAll(state, 0o700))
	variables := s.settings(set["EnvironmentFile"])
	variables["STATE_DIRECTORY"] = state
	command := strings.Fields(s.expand(set["ExecStart"], variables))
	if info, err := os.Stat(command[0]); err != nil || info.Mode()&0o111 == 0 {
		s.Fatalf("%s is not a program: %v", command[0], err)
	}
	env := []string{"PATH=" + os.Getenv("PATH"), "TMPDIR=" + variableOf(c.Env, "TMPDIR")}
	for key, value := range variables {
		env = append(env, key+"="+value)
	}
	s.publishes(command[1:], set["WorkingDirectory"], env)
}
