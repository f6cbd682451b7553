package manifest

import (
	"fmt"
	"strings"
	"testing"
)

func TestGeneratedAPIs(t *testing.T) {
	t.Parallel()
	pom := func(name, configuration string) string {
		return "<project><build><plugins><plugin><artifactId>" + name + "</artifactId><executions><execution><configuration>" + configuration + "</configuration></execution></executions></plugin></plugins></build></project>"
	}
	const document = "<inputSpec>${project.basedir}/src/api.yml</inputSpec><apiPackage>com.x.api</apiPackage>"
	for name, c := range map[string]struct{ content, want string }{
		"by tags":           {pom("openapi-generator-maven-plugin", document+"<generatorName>spring</generatorName><configOptions><useTags>true</useTags></configOptions>"), "[{web/src/api.yml com.x.api true}]"},
		"by paths":          {pom("openapi-generator-maven-plugin", document+"<generatorName>spring</generatorName>"), "[{web/src/api.yml com.x.api false}]"},
		"in ISO-8859-1":     {`<?xml version="1.0" encoding="ISO-8859-1"?>` + "<!-- \xe4 -->" + pom("openapi-generator-maven-plugin", document+"<description>\xe4</description><generatorName>spring</generatorName>"), "[{web/src/api.yml com.x.api false}]"},
		"twice":             {pom("openapi-generator-maven-plugin", document+"<generatorName>spring</generatorName></configuration></execution><execution><configuration>"+document+"<generatorName>spring</generatorName>"), "[{web/src/api.yml com.x.api false}]"},
		"a client":          {pom("openapi-generator-maven-plugin", document+"<generatorName>java</generatorName>"), "[]"},
		"another document":  {pom("openapi-generator-maven-plugin", "<inputSpec>https://x/api.yml</inputSpec><apiPackage>a</apiPackage><generatorName>spring</generatorName>"), "[]"},
		"another plugin":    {pom("other", document+"<generatorName>spring</generatorName><!-- openapi-generator-maven-plugin -->"), "[]"},
		"not well formed":   {"<project>openapi-generator-maven-plugin", "[]"},
		"no generator here": {"<project/>", "[]"},
	} {
		apis, whole := GeneratedAPIs("web/pom.xml", []byte(c.content))
		if got := fmt.Sprint(apis); got != c.want || !whole {
			t.Errorf("%s: got %s, want %s", name, got, c.want)
		}
	}
	var many strings.Builder
	for i := range 20 {
		fmt.Fprintf(&many, "<execution><configuration><generatorName>spring</generatorName><inputSpec>a%d.yml</inputSpec><apiPackage>p</apiPackage></configuration></execution>", i)
	}
	if apis, whole := GeneratedAPIs("pom.xml", []byte("<project><build><plugins><plugin><artifactId>openapi-generator-maven-plugin</artifactId><executions>"+many.String()+"</executions></plugin></plugins></build></project>")); len(apis) != mostAPIs || whole {
		t.Errorf("many documents: got %d, all of them: %v", len(apis), whole)
	}
}

func TestRoutesOfDocuments(t *testing.T) {
	t.Parallel()
	const document = `openapi: 3.0.1
paths:
  /owners/{id}:
    parameters: []
    get: {tags: [owner-v2, other], summary: Gets one}
    delete: {}
  /:
    post: {tags: [root]}
`
	operations, err := Operations([]byte(document))
	if err != nil {
		t.Fatal(err)
	}
	for tagged, want := range map[bool]string{
		true:  "GET /owners/{id} OwnerV2Api Gets one 3, DELETE /owners/{id} DefaultApi  3, POST / RootApi  7",
		false: "GET /owners/{id} OwnersApi Gets one 3, DELETE /owners/{id} OwnersApi  3, POST / DefaultApi  7",
	} {
		var got []string
		for _, r := range (GeneratedAPI{tagged: tagged}).Routes(operations) {
			got = append(got, fmt.Sprintf("%s %s %s %d", r.Name, r.Interface, r.Help, r.Line))
		}
		if strings.Join(got, ", ") != want {
			t.Errorf("by tags %v:\n got %s\nwant %s", tagged, strings.Join(got, ", "), want)
		}
	}
	var many strings.Builder
	many.WriteString("paths:\n")
	for i := range mostPaths + 1 {
		fmt.Fprintf(&many, "  /a%d: {get: {}}\n", i)
	}
	for name, c := range map[string]struct {
		content string
		want    int
		fails   bool
	}{
		"empty":      {"", 0, false},
		"not YAML":   {"paths: [", 0, true},
		"too long":   {"paths: {/a: {get: {}}}\n#" + strings.Repeat("x", longestAPI), 0, true},
		"many paths": {many.String(), mostSettings, true},
	} {
		if got, err := Operations([]byte(c.content)); len(got) != c.want || (err != nil) != c.fails {
			t.Errorf("%s: got %d operations, %v", name, len(got), err)
		}
	}
}
