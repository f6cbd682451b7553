package manifest

import (
	"bytes"
	"encoding/xml"
	"io"
	"path"
	"strings"
)

// IsDescriptor reports whether a file may say which routes a Java application serves, and where: a deployment descriptor or
// the build.
func IsDescriptor(name string) bool {
	return path.Base(name) == "web.xml" && path.Base(path.Dir(name)) == "WEB-INF" || path.Base(name) == "pom.xml"
}

// ModuleOf returns the directory of the Maven or Gradle module that contains a path, or the path.
func ModuleOf(name string) string {
	if root, _, ok := strings.Cut("./"+name+"/", "/src/main/"); ok {
		return path.Clean(root)
	}
	return name
}

// dispatchers are the endings of the classes that serve the resources of JAX-RS.
var dispatchers = []string{".ServletContainer", ".HttpServletDispatcher", ".HttpServlet30Dispatcher", ".CXFServlet", ".CXFNonSpringJaxrsServlet", ".rs.core.Application"}

type descriptor struct {
	Servlets []struct {
		Name  string `xml:"servlet-name"`
		Class string `xml:"servlet-class"`
	} `xml:"servlet"`
	Filters []struct {
		Name  string `xml:"filter-name"`
		Class string `xml:"filter-class"`
	} `xml:"filter"`
	ServletPaths []struct {
		Name  string   `xml:"servlet-name"`
		Paths []string `xml:"url-pattern"`
	} `xml:"servlet-mapping"`
	FilterPaths []struct {
		Name  string   `xml:"filter-name"`
		Paths []string `xml:"url-pattern"`
	} `xml:"filter-mapping"`
}

// ResourcePaths returns the paths below which a deployment descriptor serves the resources of JAX-RS.
func ResourcePaths(content []byte) (out []string) {
	d := readDescriptor(content)
	serves := map[string]bool{}
	is := func(name, class string) {
		for _, end := range dispatchers {
			serves[name] = serves[name] || strings.HasSuffix("."+strings.TrimSpace(class), end) || strings.HasSuffix("."+strings.TrimSpace(name), end)
		}
	}
	for _, s := range d.Servlets {
		is(s.Name, s.Class)
	}
	for _, f := range d.Filters {
		is(f.Name, f.Class)
	}
	add := func(name string, paths []string) {
		is(name, "")
		for _, p := range paths {
			if prefix, all := strings.CutSuffix(strings.TrimSpace(p), "/*"); all && serves[name] {
				out = append(out, prefix)
			}
		}
	}
	for _, m := range d.ServletPaths {
		add(m.Name, m.Paths)
	}
	for _, m := range d.FilterPaths {
		add(m.Name, m.Paths)
	}
	return out
}

func readDescriptor(content []byte) (d descriptor) {
	if len(content) > longestSettings || readXML(content, &d) != nil {
		return descriptor{}
	}
	return d
}

// Servlet is a servlet of a deployment descriptor with one of its paths.
type Servlet struct{ Class, Path string }

// File returns the file of the class in a module.
func (s Servlet) File(module string) string {
	return path.Join(module, "src/main/java", strings.ReplaceAll(s.Class, ".", "/")+".java")
}

// Servlets returns the servlets with their paths.
func Servlets(content []byte) (out []Servlet) {
	d := readDescriptor(content)
	classes := map[string]string{}
	for _, s := range d.Servlets {
		classes[s.Name] = strings.TrimSpace(s.Class)
	}
	for _, m := range d.ServletPaths {
		for _, p := range m.Paths {
			if p = strings.TrimSpace(p); strings.HasPrefix(p, "/") && classes[m.Name] != "" {
				out = append(out, Servlet{classes[m.Name], p})
			}
		}
	}
	return out
}

// readXML decodes XML in any encoding that extends ASCII: only names and paths matter.
func readXML(content []byte, to any) error {
	d := xml.NewDecoder(bytes.NewReader(bytes.ToValidUTF8(content, []byte("?"))))
	d.CharsetReader = func(_ string, in io.Reader) (io.Reader, error) { return in, nil }
	return d.Decode(to)
}
