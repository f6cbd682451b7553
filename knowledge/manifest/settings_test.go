package manifest

import (
	"fmt"
	"strings"
	"testing"
)

func TestSettings(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ content, want string }{
		".env.example": {"# Where the data\n# lives.\nexport DATABASE_URL=\"postgres://x # y\"\n\nPORT=80 # of HTTP\n# TOKEN=\n# see docs=x\n",
			"DATABASE_URL=postgres://x # y ?Where the data lives.\nPORT=80\nTOKEN="},
		".env.template": {"###########\n## Database timeout ##\n## Waits for the\n## ORM so long.\n# TIMEOUT=3\n", "TIMEOUT=3 ?Database timeout. Waits for the ORM so long."},
		".env.sample":   {"# Upload & Other Config\n#MOST=1\n#LEAST=2\n\n# Timezone\nTZ=UTC\n#TZ=Europe/Berlin\n", "MOST=1\nLEAST=2\nTZ=UTC ?Timezone\nTZ=Europe/Berlin"},
		"compose.dev.yml": {"services:\n  web:\n    environment:\n      # How long a token lasts\n      # in days\n      - TTL=24\n      #- OLD=/x\n      - NEW=1\n  db:\n    environment:\n      # The name\n      NAME: x\n",
			"TTL=24 @web ?How long a token lasts in days\nNEW=1 @web\nNAME=x @db ?The name"},
		"docker-compose.yml": {"services:\n  web:\n    image: x:${TAG:-latest}${KEY:?a key for the API}${ON:+yes}\n    environment:\n      A: 1\n      B: $${NOT}\n  # ${NO}\n  db:\n    environment:\n      - C=2\n      - D\n",
			"$TAG=latest\n!$KEY= ?a key for the API\n$ON=\nA=1 @web\nB=$${NOT} @web\nC=2 @db\nD= @db"},
		"application-mysql.properties": {"# no=1\nspring.datasource.url=${MYSQL_URL:jdbc:mysql://localhost/x}\ndatabase: mysql\n! no\n",
			"spring.datasource.url=${MYSQL_URL:jdbc:mysql://localhost/x} @mysql\n$MYSQL_URL=jdbc:mysql://localhost/x\ndatabase=mysql @mysql"},
		"src/main/resources/application.yml": {"server:\n  port: ${PORT:8080}\n  hosts: [a, b]\n---\nspring:\n  config.activate.on-profile: no\n  profiles: dev\nserver.port: 1\n",
			"server.port=${PORT:8080}\n$PORT=8080\nserver.hosts=a,b\nspring.config.activate.on-profile=no @dev\nspring.profiles=dev @dev\nserver.port=1 @dev"},
		"compose.yml": {"x-env: &env\n  A: 1\n  B: &b two\nservices:\n  web:\n    environment:\n      <<: *env\n      B: 3\n      C: *b\n  job:\n    environment: *env\n",
			"B=3 @web\nC=two @web\nA=1 @web\nA=1 @job\nB=two @job"},
		"application-eu.yaml": {"shop:\n  # ------\n  # A. Doors\n  # ------\n  port: 80 # of HTTP\n  # depth: 3\n  # width: 4\n  # NOTE: in metres.\n  length: 2\n",
			"shop.port=80 @eu ?of HTTP\nshop.length=2 @eu ?NOTE: in metres."},
		"application.yaml": {"a: [{id: 1}]\nb: &b x\nc: *b\n", "b=x\nc=x"},
		"a/src/main/resources/shop-server.yml": {"shop:\n  # Where it listens\n  port: ${SHOP_PORT:${PORT:80}}\n",
			"shop.port=${SHOP_PORT:${PORT:80}} ?Where it listens\n$PORT=80 ?Where it listens\n$SHOP_PORT=80 ?Where it listens"},
		"src/main/resources/shop.properties":       {"# Who\n# sends\nfrom=${FROM:me}\n\n# other\n\nto=x\n", "from=${FROM:me} ?Who sends\n$FROM=me ?Who sends\nto=x"},
		"src/test/resources/shop.yml":              {"port: ${PORT:80}\n", ""},
		"src/main/resources/db/migration/shop.yml": {"port: ${PORT:80}\n", ""},
		"compose.yaml":    {"services: [\n", "unreadable"},
		".env":            {"SECRET=1\n", ""},
		"application.xml": {"<a/>", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			all, err := Settings(name, []byte(c.content))
			var lines []string
			for _, s := range all {
				line := s.Name + "=" + s.Value
				if s.Variable {
					line = "$" + line
				}
				if s.Required {
					line = "!" + line
				}
				for _, part := range [][2]string{{" @", s.For}, {" ?", s.Help}} {
					if part[1] != "" {
						line += part[0] + part[1]
					}
				}
				lines = append(lines, line)
			}
			if err != nil {
				lines = append(lines, "unreadable")
			}
			if got := strings.Join(lines, "\n"); got != c.want {
				t.Errorf("got:\n%s\nwant:\n%s", got, c.want)
			}
			if IsSettings(name) != (c.want != "") {
				t.Errorf("IsSettings is %t", IsSettings(name))
			}
		})
	}
}

// TestSettingsAreBounded: long and deep files, and those of aliases, take no more than their share.
func TestSettingsAreBounded(t *testing.T) {
	t.Parallel()
	var lines strings.Builder
	for i := range 2 * mostSettings {
		fmt.Fprintf(&lines, "K%d=1\n", i)
	}
	if all, _ := Settings(".env.example", []byte(lines.String())); len(all) != mostSettings {
		t.Errorf("%d settings, want %d", len(all), mostSettings)
	}
	deep := "a: " + strings.Repeat("{a: ", 200) + "1" + strings.Repeat("}", 200)
	if all, _ := Settings("application.yml", []byte(deep)); len(all) != 0 {
		t.Errorf("%v of a deep file", all)
	}
	if all, _ := Settings(".env.example", []byte(strings.Repeat("A=1\n", longestSettings))); len(all) != 0 {
		t.Errorf("%d settings of a file that is too long", len(all))
	}
	var products strings.Builder
	products.WriteString("a: &a {")
	for i := range mostSettings {
		fmt.Fprintf(&products, "k%d: [{}], ", i)
	}
	products.WriteString("}\n")
	for i := range mostSettings {
		fmt.Fprintf(&products, "b%d: *a\n", i)
	}
	for _, text := range []string{products.String(), "a: &a {b: *a}\n"} {
		if all, err := Settings("application.yml", []byte(text)); err == nil || len(all) != 0 {
			t.Errorf("%d settings of aliases: %v", len(all), err)
		}
	}
	bomb := "a: &a [x, x]\nb: &b [*a, *a]\nc: &c [*b, *b]\nd: *c\n"
	if all, err := Settings("application.yml", []byte(bomb)); err != nil || len(all) != 1 {
		t.Errorf("%v, %v of aliases", all, err)
	}
}
