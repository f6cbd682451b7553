package pagecheck

import (
	"fmt"
	"strings"

	"go.yaml.in/yaml/v4"
)

// maxFrontMatter bounds the input of the YAML parser.
const maxFrontMatter = 64 << 10

type kind int

const (
	word    kind = iota
	moment       // a time, quoted or not
	strs         // a list of strings
	origins      // a list of strings or of maps with id and resource
	maker        // a map with by and at
)

// known lists the keys of the Open Knowledge Format. Other keys are free.
var known = map[string]kind{
	"type": word, "title": word, "description": word, "resource": word, "tags": strs, "sources": origins, "generated": maker,
}

// frontMatter checks the YAML at the start of the page, and returns the index of the line after it.
func (s *scan) frontMatter() int {
	if strings.TrimRight(s.lines[0], " \t") != "---" {
		return 0
	}
	end := 1
	for end < len(s.lines) && strings.TrimRight(s.lines[end], " \t") != "---" {
		end++
	}
	if end == len(s.lines) {
		s.report(1, Error, "the front matter is not closed", "end it with a line ---")
		return end
	}
	s.matter(s.between(1, end))
	return end + 1
}

func (s *scan) matter(source string) {
	if len(source) > maxFrontMatter {
		s.report(1, Error, "the front matter is too long", "keep it under 64 KB")
		return
	}
	var doc yaml.Node
	if err := yaml.Unmarshal([]byte(source), &doc); err != nil {
		s.report(1, Error, "the front matter is not YAML: "+firstLine(err.Error()), "quote values that hold a colon, a # or a bracket")
		return
	}
	if len(doc.Content) == 0 {
		return
	}
	root := doc.Content[0]
	if root.Kind != yaml.MappingNode {
		s.report(2, Error, "the front matter is not a map", "write it as key: value lines")
		return
	}
	seen := map[string]bool{}
	eachPair(root, func(key, value *yaml.Node) {
		if seen[key.Value] {
			s.report(key.Line+1, Error, fmt.Sprintf("the front matter has %q twice", key.Value), "remove one")
		}
		seen[key.Value] = true
		if k, ok := known[key.Value]; ok {
			s.value(key.Value, value, k)
		}
	})
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return line
}

func eachPair(node *yaml.Node, visit func(key, value *yaml.Node)) {
	for i := 0; i+1 < len(node.Content); i += 2 {
		visit(node.Content[i], node.Content[i+1])
	}
}

func (s *scan) value(name string, value *yaml.Node, k kind) {
	switch k {
	case word:
		s.scalar(name, value, "!!str")
	case moment:
		s.scalar(name, value, "!!str", "!!timestamp")
	case strs:
		s.each(name, value, func(element *yaml.Node) { s.scalar(name, element, "!!str") })
	case origins:
		s.each(name, value, func(element *yaml.Node) {
			if element.Kind == yaml.MappingNode {
				s.fields(name, element, map[string]kind{"id": word, "resource": word})
				return
			}
			s.scalar(name, element, "!!str")
		})
	case maker:
		if value.Kind != yaml.MappingNode {
			s.wrong(name, value, "a map with by and at")
			return
		}
		s.fields(name, value, map[string]kind{"by": word, "at": moment})
	}
}

func (s *scan) fields(name string, value *yaml.Node, kinds map[string]kind) {
	eachPair(value, func(key, inner *yaml.Node) {
		if k, ok := kinds[key.Value]; ok {
			s.value(name+"."+key.Value, inner, k)
		}
	})
}

func (s *scan) each(name string, value *yaml.Node, visit func(*yaml.Node)) {
	if value.Kind != yaml.SequenceNode {
		s.wrong(name, value, "a list")
		return
	}
	for _, element := range value.Content {
		visit(element)
	}
}

func (s *scan) scalar(name string, value *yaml.Node, tags ...string) {
	if value.Kind == yaml.ScalarNode {
		for _, tag := range tags {
			if value.ShortTag() == tag {
				return
			}
		}
	}
	s.wrong(name, value, "a string")
}

func (s *scan) wrong(name string, value *yaml.Node, want string) {
	s.report(value.Line+1, Error, fmt.Sprintf("%s of the front matter is not %s", name, want), "write it as "+want+", quoted where YAML would read something else")
}
