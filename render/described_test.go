package render

import (
	"strings"
	"testing"

	"github.com/causaldocs/causal/knowledge/engine"
)

// TestRoutesOfDescriptors: the pages agree on the prefixes and routes that descriptors and documents have.
func TestRoutesOfDescriptors(t *testing.T) {
	t.Parallel()
	const generator = "<execution><configuration><generatorName>spring</generatorName><inputSpec>api.yml</inputSpec><apiPackage>shop.api</apiPackage></configuration></execution>"
	pom := func(executions string) string {
		return "<project><groupId>shop</groupId><artifactId>shop</artifactId><build><plugins><plugin><artifactId>openapi-generator-maven-plugin</artifactId><executions>" + executions + "</executions></plugin></plugins></build></project>\n"
	}
	jax := map[string]string{
		"pom.xml":                           pom(""),
		"src/main/webapp/WEB-INF/web.xml":   `<?xml version="1.0" encoding="ISO-8859-1"?><web-app><servlet><servlet-name>jersey</servlet-name><servlet-class>org.glassfish.jersey.servlet.ServletContainer</servlet-class></servlet><servlet-mapping><servlet-name>jersey</servlet-name><url-pattern>/api/*</url-pattern></servlet-mapping></web-app>`,
		"src/main/java/shop/store/S.java":   "package shop.store;\n/** Stores orders. */\npublic class S {\n  public String find(String s) { return s; }\n  public void save(String s) { }\n}\n",
		"src/main/java/shop/mail/Mail.java": "package shop.mail;\n/** Sends mail. */\npublic class Mail {\n  public void send(String s) { }\n  public void queue(String s) { }\n}\n",
		"src/main/java/shop/web/Orders.java": "package shop.web;\nimport javax.ws.rs.*;\nimport shop.store.*;\nimport shop.mail.*;\n/** Serves orders. */\n@Path(\"/orders\")\npublic class Orders {\n" +
			"  private final S store = new S();\n  private final Mail mail = new Mail();\n  /** Creates an order. */\n" +
			"  @POST public String create(String body) { check(body); String o = store.find(body); store.save(body); mail.send(body); return o; }\n" +
			"  /** Checks a body. */\n  private void check(String body) { store.find(body); mail.queue(body); }\n}\n",
	}
	api := func(document string) map[string]string {
		return map[string]string{
			"pom.xml": pom(generator + generator), "api.yml": document,
			"src/main/java/shop/web/C.java": "package shop.web;\nimport org.springframework.web.bind.annotation.*;\nimport shop.api.OrdersApi;\n/** Serves orders. */\n@RestController\npublic class C implements OrdersApi { }\n",
		}
	}
	mapped := func(name, class string) string {
		return "<servlet><servlet-name>" + name + "</servlet-name><servlet-class>" + class + "</servlet-class></servlet><servlet-mapping><servlet-name>" + name + "</servlet-name><url-pattern>/" + name + "/*</url-pattern></servlet-mapping>"
	}
	servlets := map[string]string{
		"pom.xml": pom(""), "src/main/webapp/WEB-INF/web.xml": "<web-app>" + mapped("files", "shop.web.Files") + mapped("jsp", "org.x.Jsp") + "</web-app>",
		"src/main/java/shop/web/Files.java": "package shop.web;\n/** Serves files. */\npublic class Files { }\n",
	}
	for name, c := range map[string]struct {
		files      map[string]string
		page, want string
		times      int
	}{
		"a prefix":             {jax, operationPage, "POST /api/orders", 1},
		"on the entry page":    {jax, entryPage, "POST /api/orders", 1},
		"a servlet":            {servlets, operationPage, "| `/files/*` | `Files` |", 1},
		"one of a library":     {servlets, operationPage, "/jsp", 0},
		"a document twice":     {api("paths: {/orders: {get: {}}}\n"), operationPage, "`GET /orders`", 1},
		"all of it":            {api("paths: {/orders: {get: {}}}\n"), operationPage, "Not read", 0},
		"not YAML":             {api("paths: ["), operationPage, "\n\nNot read, or not in full: [`api.yml`](../../api.yml).\n", 1},
		"a document too large": {api("#" + strings.Repeat("x", 1<<20)), operationPage, "Not read, or not in full: [`api.yml`]", 1},
	} {
		r := newRepo(t, c.files)
		r.nodes()
		got := r.conclude(r.plugin(), engine.Unit{Kind: PageKind, Subject: c.page}, nil).Body.(*Page).generated
		if n := strings.Count(got, c.want); n != c.times {
			t.Errorf("%s: %d times %q in\n%s", name, n, c.want, got)
		}
	}
}
