package githubsim

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// packet encodes a line as a pkt-line.
func packet(line string) string { return fmt.Sprintf("%04x%s", len(line)+4, line) }

// capabilities is the capability advertisement of protocol version 2.
func capabilities() string {
	lines := []string{"version 2", "agent=git/simulated", "ls-refs=unborn", "fetch=shallow wait-for-done filter", "server-option", "object-format=sha1"}
	var out strings.Builder
	for _, line := range lines {
		out.WriteString(packet(line + "\n"))
	}
	return out.String() + flush
}

// readCommand parses the name of a command and the arguments after the delimiter packet.
func readCommand(input []byte) (command string, arguments []string) {
	text, begun := string(input), false
	for len(text) >= 4 {
		size, err := strconv.ParseUint(text[:4], 16, 16)
		switch {
		case err != nil || size == 0 || int(size) > len(text):
			return command, arguments
		case size < 4:
			begun, text = true, text[4:]
			continue
		}
		line := strings.TrimSuffix(text[4:size], "\n")
		if name, found := strings.CutPrefix(line, "command="); found {
			command = name
		} else if begun {
			arguments = append(arguments, line)
		}
		text = text[size:]
	}
	return command, arguments
}

// advertise answers ls-refs.
func (b *bare) advertise(arguments []string) string {
	var prefixes []string
	for _, argument := range arguments {
		if prefix, found := strings.CutPrefix(argument, "ref-prefix "); found {
			prefixes = append(prefixes, prefix)
		}
	}
	refs := b.refs("refs")
	trunk := b.trunk()
	if refs["HEAD"] = refs[trunk]; refs["HEAD"] == "" {
		delete(refs, "HEAD")
	}
	var out strings.Builder
	if refs["HEAD"] == "" && slices.Contains(arguments, "unborn") {
		out.WriteString(packet("unborn HEAD symref-target:" + trunk + "\n"))
	}
	for _, name := range sorted(refs) {
		asked := func(prefix string) bool { return strings.HasPrefix(name, prefix) }
		if len(prefixes) > 0 && !slices.ContainsFunc(prefixes, asked) {
			continue
		}
		line := refs[name] + " " + name
		if name == "HEAD" && slices.Contains(arguments, "symrefs") {
			line += " symref-target:" + trunk
		}
		if strings.HasPrefix(name, "refs/tags/") && slices.Contains(arguments, "peel") {
			if peeled := b.resolve(refs[name], "commit"); peeled != refs[name] && peeled != "" {
				line += " peeled:" + peeled
			}
		}
		out.WriteString(packet(line + "\n"))
	}
	return out.String() + flush
}
