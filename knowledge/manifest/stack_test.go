package manifest_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/causaldocs/causal/knowledge/manifest"
)

// TestLibraries: the dependencies of each manifest, without indirect ones and those of development.
func TestLibraries(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		files files
		want  string
	}{
		"nothing":      {files{}, ""},
		"go":           {files{"go.mod": "module x\n\nrequire github.com/labstack/echo/v4 v4.1.0\nrequire (\n\tgithub.com/lib/pq v1.0.0 // indirect\n\tgorm.io/gorm v1.0.0\n)\n"}, "Echo, GORM"},
		"package":      {files{"package.json": `{"dependencies": {"react": "1", "pg": "1"}, "devDependencies": {"vite": "1", "express": "1"}}`}, "React, Vite, PostgreSQL"},
		"broken":       {files{"package.json": `{"dependencies": [`}, ""},
		"cargo":        {files{"Cargo.toml": "[workspace.dependencies]\naxum = \"0.7\"\n[dependencies]\nsqlx = { version = \"1\" }\n[dev-dependencies]\nrocket = \"1\"\n"}, "axum, SQLx"},
		"pyproject":    {files{"pyproject.toml": "[project]\ndependencies = [\"Flask>=2\", \"psycopg2_binary ; x\"]\n"}, "Flask, PostgreSQL"},
		"poetry":       {files{"pyproject.toml": "[tool.poetry.dependencies]\npython = \"3\"\ncelery = \"5\"\n"}, "Celery"},
		"requirements": {files{"requirements.txt": "# of the shop\ndjango-redis==1\nDjango==5\n-r other.txt\n"}, "Django, Redis"},
		"maven":        {files{"pom.xml": "<dependency><artifactId>spring-boot-starter-web</artifactId></dependency>"}, "Spring Boot"},
		"gradle":       {files{"build.gradle.kts": "implementation(\"org.springframework.boot:spring-boot-starter-data-jpa\")\nruntimeOnly(\"org.postgresql:postgresql:1\")\n"}, "JPA, PostgreSQL"},
	} {
		var got []string
		for _, l := range manifest.Libraries(c.files) {
			got = append(got, l.Name)
		}
		if strings.Join(got, ", ") != c.want {
			t.Errorf("%s: got %s, want %s", name, strings.Join(got, ", "), c.want)
		}
	}
}

func TestServicesForDevelopment(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"mail: {image: 'axllent/mailpit:v1'}": true, "x: {image: adminer}": true, "db-test: {image: postgres}": true, "x: {image: 'selenium/standalone-chrome:4'}": true,
		"db: {image: 'postgres:dev'}": false, "contest: {image: latest/app}": false, "x: {image: x, profiles: [debug]}": true, "worker: {image: x, profiles: [worker]}": false,
	} {
		if list := manifest.Services([]byte("services:\n  " + text + "\n")); len(list) != 1 || list[0].Development != want {
			t.Errorf("%s: %v, want %v", text, list, want)
		}
	}
}

func TestServices(t *testing.T) {
	t.Parallel()
	got := fmt.Sprint(manifest.Services([]byte("services:\n  a:\n    build: ./a\n    depends_on: [c, b]\n  b:\n    image: x:1\n  c:\n    build:\n      context: .\n      dockerfile: c/Dockerfile\n    depends_on:\n      b: {condition: x}\n")))
	if want := "[{a  [a] [b c] false false} {b x:1 [] [] false false} {c  [c .] [b] false false}]"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got := manifest.Services([]byte("services: [")); got != nil {
		t.Errorf("a broken file has %v", got)
	}
}
