package manifest

import (
	"cmp"
	"errors"
	"path"
	"strings"
	"unicode"

	"go.yaml.in/yaml/v4"
)

// GeneratedAPI is a document of OpenAPI of which a build makes interfaces for the controllers of a server.
type GeneratedAPI struct {
	Document string // its path
	Package  string // of the interfaces
	tagged   bool   // an interface has the routes of a tag, otherwise those with the same first segment
}

type generator struct {
	Document string `xml:"inputSpec"`
	Kind     string `xml:"generatorName"`
	Package  string `xml:"apiPackage"`
	Options  struct {
		Tagged string `xml:"useTags"`
	} `xml:"configOptions"`
}

// mostAPIs bounds the documents of a build.
const mostAPIs = 16

// GeneratedAPIs returns the documents that the generator of OpenAPI reads for Spring, as a pom.xml configures it; whole is
// false if there are more.
func GeneratedAPIs(file string, content []byte) (out []GeneratedAPI, whole bool) {
	var pom struct {
		Plugins []struct {
			Name       string      `xml:"artifactId"`
			Generator  generator   `xml:"configuration"`
			Executions []generator `xml:"executions>execution>configuration"`
		} `xml:"build>plugins>plugin"`
	}
	if len(content) > longestSettings || !strings.Contains(string(content), "openapi-generator-maven-plugin") || readXML(content, &pom) != nil {
		return nil, true
	}
	seen := map[GeneratedAPI]bool{}
	for _, p := range pom.Plugins {
		for _, g := range append(p.Executions, p.Generator) {
			document := strings.NewReplacer("${project.basedir}/", "", "${basedir}/", "").Replace(strings.TrimSpace(g.Document))
			if p.Name == "openapi-generator-maven-plugin" && strings.Contains(g.Kind, "spring") && document != "" && g.Package != "" && !strings.ContainsAny(document, "$:") {
				api := GeneratedAPI{path.Join(path.Dir(file), document), strings.TrimSpace(g.Package), strings.TrimSpace(g.Options.Tagged) == "true"}
				if !seen[api] && len(out) == mostAPIs {
					return out, false
				}
				if !seen[api] {
					out = append(out, api)
				}
				seen[api] = true
			}
		}
	}
	return out, true
}

// APIRoute is a route of a document, and the interface that is generated for it.
type APIRoute struct {
	Name, Interface, Help string
	Line                  int
}

// Bounds of a document.
const (
	longestAPI = 1 << 20
	mostPaths  = 1000
)

var errLargeAPI = errors.New("the document is too large")

// Operation is an operation of a document of OpenAPI.
type Operation struct {
	name, path, tag, help string
	line                  int
}

// Operations reads the content of a document. An error says that not all of it is read.
func Operations(content []byte) (out []Operation, err error) {
	if len(content) > longestAPI {
		return nil, errLargeAPI
	}
	paths, large := 0, false
	err = documents(string(content), func(root *yaml.Node) {
		each(below(root, "paths"), func(at, methods *yaml.Node) {
			if paths++; paths > mostPaths {
				large = true
				return
			}
			each(methods, func(method, operation *yaml.Node) {
				if !strings.Contains(" get put post delete options head patch trace ", " "+method.Value+" ") {
					return
				}
				if len(out) == mostSettings {
					large = true
					return
				}
				o := Operation{name: strings.ToUpper(method.Value) + " " + at.Value, path: at.Value, line: at.Line - 1} // documents begins with a line of its own
				if tags := below(operation, "tags"); tags != nil && len(tags.Content) > 0 {
					o.tag = tags.Content[0].Value
				}
				if summary := below(operation, "summary"); summary != nil {
					o.help = summary.Value
				}
				out = append(out, o)
			})
		})
	})
	if large {
		err = errLargeAPI
	}
	return out, err
}

// Routes returns the routes of the operations in the document.
func (a GeneratedAPI) Routes(operations []Operation) (out []APIRoute) {
	for _, o := range operations {
		of, _, _ := strings.Cut(strings.TrimPrefix(o.path, "/"), "/")
		if a.tagged {
			of = o.tag
		}
		out = append(out, APIRoute{Name: o.name, Interface: capitalized(cmp.Or(of, "default")) + "Api", Help: o.help, Line: o.line})
	}
	return out
}

// capitalized joins the words of a name with capitals: "owner-v2" is OwnerV2.
func capitalized(name string) string {
	var b strings.Builder
	first := true
	for _, r := range name {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			first = true
			continue
		case first:
			r = unicode.ToUpper(r)
		}
		first = false
		b.WriteRune(r)
	}
	return b.String()
}
