package manifest

import (
	"cmp"
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

// GeneratedAPIs returns the documents that the generator of OpenAPI reads for Spring, as a pom.xml configures it.
func GeneratedAPIs(file string, content []byte) (out []GeneratedAPI) {
	var pom struct {
		Plugins []struct {
			Name       string      `xml:"artifactId"`
			Generator  generator   `xml:"configuration"`
			Executions []generator `xml:"executions>execution>configuration"`
		} `xml:"build>plugins>plugin"`
	}
	if len(content) > longestSettings || !strings.Contains(string(content), "openapi-generator-maven-plugin") || readXML(content, &pom) != nil {
		return nil
	}
	for _, p := range pom.Plugins {
		for _, g := range append(p.Executions, p.Generator) {
			document := strings.NewReplacer("${project.basedir}/", "", "${basedir}/", "").Replace(strings.TrimSpace(g.Document))
			if p.Name == "openapi-generator-maven-plugin" && strings.Contains(g.Kind, "spring") && document != "" && g.Package != "" && !strings.ContainsAny(document, "$:") {
				out = append(out, GeneratedAPI{path.Join(path.Dir(file), document), strings.TrimSpace(g.Package), strings.TrimSpace(g.Options.Tagged) == "true"})
			}
		}
	}
	return out
}

// APIRoute is a route of a document, and the interface that is generated for it.
type APIRoute struct {
	Name, Interface, Help string
	Line                  int
}

const longestAPI = 1 << 20

// Routes returns the routes in the content of the document.
func (a GeneratedAPI) Routes(content []byte) (out []APIRoute) {
	if len(content) > longestAPI {
		return nil
	}
	_ = documents(string(content), func(root *yaml.Node) {
		each(below(root, "paths"), func(at, methods *yaml.Node) {
			each(methods, func(method, operation *yaml.Node) {
				if !strings.Contains(" get put post delete options head patch trace ", " "+method.Value+" ") || len(out) == mostSettings {
					return
				}
				of, _, _ := strings.Cut(strings.TrimPrefix(at.Value, "/"), "/")
				if tags := below(operation, "tags"); a.tagged {
					if of = ""; tags != nil && len(tags.Content) > 0 {
						of = tags.Content[0].Value
					}
				}
				route := APIRoute{Name: strings.ToUpper(method.Value) + " " + at.Value, Interface: capitalized(cmp.Or(of, "default")) + "Api", Line: at.Line - 1} // documents begins with a line of its own
				if summary := below(operation, "summary"); summary != nil {
					route.Help = summary.Value
				}
				out = append(out, route)
			})
		})
	})
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
