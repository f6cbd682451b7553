package manifest

import (
	"slices"
	"testing"
)

func TestResourcePaths(t *testing.T) {
	t.Parallel()
	servlet := func(name, class, pattern string) string {
		return "<servlet><servlet-name>" + name + "</servlet-name><servlet-class>" + class + "</servlet-class></servlet>" +
			"<servlet-mapping><servlet-name>" + name + "</servlet-name><url-pattern>" + pattern + "</url-pattern></servlet-mapping>"
	}
	for name, c := range map[string]struct {
		content string
		want    []string
	}{
		"Jersey":            {servlet("rest", "org.glassfish.jersey.servlet.ServletContainer", "/api/*"), []string{"/api"}},
		"RESTEasy":          {servlet("rest", "org.jboss.resteasy.plugins.server.servlet.HttpServletDispatcher", "/rest/v1/*"), []string{"/rest/v1"}},
		"all paths":         {servlet("rest", "org.glassfish.jersey.servlet.ServletContainer", "/*"), []string{""}},
		"another servlet":   {servlet("files", "com.x.FileServlet", "/files/*"), nil},
		"a filter":          {"<filter><filter-name>f</filter-name><filter-class>org.glassfish.jersey.servlet.ServletContainer</filter-class></filter><filter-mapping><filter-name>f</filter-name><url-pattern> /api/* </url-pattern></filter-mapping>", []string{"/api"}},
		"the standard name": {"<servlet-mapping><servlet-name>jakarta.ws.rs.core.Application</servlet-name><url-pattern>/v2/*</url-pattern></servlet-mapping>", []string{"/v2"}},
		"no XML":            {"<servlet", nil},
	} {
		if got := ResourcePaths([]byte("<web-app>" + c.content + "</web-app>")); !slices.Equal(got, c.want) {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
	}
	const head = `<?xml version="1.0" encoding="ISO-8859-1"?>`
	content := head + "<web-app><display-name>Gesch\xe4ft</display-name>" + servlet("rest", "org.glassfish.jersey.servlet.ServletContainer", "/api/*") + "</web-app>"
	if got := ResourcePaths([]byte(content)); !slices.Equal(got, []string{"/api"}) {
		t.Errorf("in ISO-8859-1: got %q", got)
	}
	content = "<web-app>" + servlet("a", " com.x.A\n", "/a/*") + "<servlet-mapping><servlet-name>a</servlet-name><url-pattern>*.do</url-pattern></servlet-mapping>" + "<servlet-mapping><servlet-name>default</servlet-name><url-pattern>/css/*</url-pattern></servlet-mapping></web-app>"
	if got := Servlets([]byte(content)); !slices.Equal(got, []Servlet{{"com.x.A", "/a/*"}}) {
		t.Errorf("servlets: got %q", got)
	}
	for name, want := range map[string]bool{"web/src/main/webapp/WEB-INF/web.xml": true, "web.xml": false, "api/pom.xml": true, "WEB-INF/other.xml": false} {
		if IsDescriptor(name) != want {
			t.Errorf("%s: got %v", name, !want)
		}
	}
	for name, want := range map[string]string{"a/src/main/webapp/WEB-INF/web.xml": "a", "src/main/java/com/x": ".", "a/b": "a/b"} {
		if got := ModuleOf(name); got != want {
			t.Errorf("module of %s: got %s, want %s", name, got, want)
		}
	}
}
