package manifest

import (
	"encoding/json"
	"maps"
	"path"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/causaldocs/causal/knowledge/lazyregexp"
)

// Role is the role of a project that depends on a library.
type Role string

// The roles of libraries.
const (
	Frontend Role = "web frontend"
	Server   Role = "HTTP service"
	Worker   Role = "worker"
	Terminal Role = "command-line program"
	Desktop  Role = "desktop application"
	Mobile   Role = "mobile application"
	Data     Role = ""         // stores data: fits any project
	Database Role = "database" // its client: the program may store its data there
)

// Library is a notable library of a project's stack.
type Library struct {
	Name string // display name: "FastAPI", "PostgreSQL"
	Role Role
}

// libraries are by dependency name; a trailing "*" matches any suffix.
var libraries = []struct {
	library      Library
	dependencies string
}{
	{Library{"Next.js", Server}, "next"}, {Library{"Nuxt", Frontend}, "nuxt"}, {Library{"SvelteKit", Frontend}, "@sveltejs/kit"}, {Library{"Remix", Server}, "@remix-run/*"},
	{Library{"React", Frontend}, "react"}, {Library{"Vue", Frontend}, "vue"}, {Library{"Svelte", Frontend}, "svelte"}, {Library{"Angular", Frontend}, "@angular/core"},
	{Library{"Solid", Frontend}, "solid-js"}, {Library{"Preact", Frontend}, "preact"}, {Library{"Vite", Frontend}, "vite"}, {Library{"Astro", Frontend}, "astro"},
	{Library{"Yew", Frontend}, "yew"}, {Library{"Leptos", Frontend}, "leptos"},
	{Library{"Electron", Desktop}, "electron"}, {Library{"Tauri", Desktop}, "tauri @tauri-apps/api"}, {Library{"Wails", Desktop}, "github.com/wailsapp/wails*"},
	{Library{"React Native", Mobile}, "react-native"}, {Library{"Expo", Mobile}, "expo"}, {Library{"Capacitor", Mobile}, "@capacitor/core"},
	{Library{"NestJS", Server}, "@nestjs/core"}, {Library{"Express", Server}, "express"}, {Library{"Fastify", Server}, "fastify @nestjs/platform-fastify"},
	{Library{"Koa", Server}, "koa"}, {Library{"Sails", Server}, "sails"}, {Library{"Hono", Server}, "hono"},
	{Library{"FastAPI", Server}, "fastapi"}, {Library{"Flask", Server}, "flask"}, {Library{"Django", Server}, "django"}, {Library{"Starlette", Server}, "starlette"},
	{Library{"Django REST framework", Server}, "djangorestframework"}, {Library{"aiohttp", Data}, "aiohttp"}, {Library{"Tornado", Server}, "tornado"},
	{Library{"Gin", Server}, "github.com/gin-gonic/gin"}, {Library{"Echo", Server}, "github.com/labstack/echo*"}, {Library{"chi", Server}, "github.com/go-chi/chi*"},
	{Library{"Fiber", Server}, "github.com/gofiber/fiber*"}, {Library{"gorilla/mux", Server}, "github.com/gorilla/mux"}, {Library{"gRPC", Server}, "google.golang.org/grpc connectrpc.com/connect tonic"},
	{Library{"Spring Boot", Server}, "spring-boot-starter-web spring-boot-starter-webmvc spring-boot-starter-webflux"}, {Library{"Spring MVC", Server}, "spring-webmvc"}, {Library{"Micronaut", Server}, "micronaut-http-server*"}, {Library{"Armeria", Server}, "armeria armeria-spring-boot*"},
	{Library{"Quarkus", Server}, "quarkus-rest* quarkus-resteasy*"},
	{Library{"axum", Server}, "axum"}, {Library{"Actix", Server}, "actix-web"}, {Library{"Rocket", Server}, "rocket"}, {Library{"warp", Server}, "warp"},
	{Library{"Celery", Worker}, "celery"}, {Library{"RQ", Worker}, "rq django-rq"}, {Library{"Dramatiq", Worker}, "dramatiq"}, {Library{"APScheduler", Worker}, "apscheduler"},
	{Library{"BullMQ", Worker}, "bullmq bull @nestjs/bullmq @nestjs/bull"}, {Library{"River", Worker}, "github.com/riverqueue/river"},
	{Library{"Asynq", Worker}, "github.com/hibiken/asynq"}, {Library{"cron", Worker}, "github.com/robfig/cron* node-cron"},
	{Library{"Cobra", Terminal}, "github.com/spf13/cobra"}, {Library{"urfave/cli", Terminal}, "github.com/urfave/cli*"}, {Library{"Kong", Terminal}, "github.com/alecthomas/kong"},
	{Library{"Bubble Tea", Terminal}, "github.com/charmbracelet/bubbletea*"}, {Library{"Click", Terminal}, "click"}, {Library{"Typer", Terminal}, "typer"},
	{Library{"clap", Terminal}, "clap"}, {Library{"Commander", Terminal}, "commander"}, {Library{"yargs", Terminal}, "yargs"}, {Library{"picocli", Terminal}, "picocli"},
	{Library{"Prisma", Data}, "@prisma/client prisma"}, {Library{"TypeORM", Data}, "typeorm"}, {Library{"Drizzle", Data}, "drizzle-orm"}, {Library{"Knex", Data}, "knex"},
	{Library{"Sequelize", Data}, "sequelize"}, {Library{"Mongoose", Data}, "mongoose"}, {Library{"Kysely", Data}, "kysely"},
	{Library{"SQLAlchemy", Data}, "sqlalchemy flask-sqlalchemy"}, {Library{"SQLModel", Data}, "sqlmodel"}, {Library{"GORM", Data}, "gorm.io/gorm"}, {Library{"Ent", Data}, "entgo.io/ent"},
	{Library{"JPA", Data}, "spring-boot-starter-data-jpa hibernate-core"}, {Library{"Diesel", Data}, "diesel"}, {Library{"SQLx", Data}, "sqlx"}, {Library{"SeaORM", Data}, "sea-orm"},
	{Library{"PostgreSQL", Database}, "pg postgres github.com/lib/pq github.com/jackc/pgx* psycopg psycopg2 psycopg2-binary asyncpg postgresql tokio-postgres gorm.io/driver/postgres quarkus-jdbc-postgresql"},
	{Library{"MySQL", Database}, "mysql mysql2 github.com/go-sql-driver/mysql mysqlclient pymysql mysql-connector-j gorm.io/driver/mysql quarkus-jdbc-mysql"},
	{Library{"MariaDB", Database}, "mariadb-java-client quarkus-jdbc-mariadb mariadb"}, {Library{"H2", Database}, "com.h2database quarkus-jdbc-h2"}, {Library{"HSQLDB", Database}, "hsqldb"},
	{Library{"SQL Server", Database}, "mssql-jdbc mssql gorm.io/driver/sqlserver github.com/microsoft/go-mssqldb quarkus-jdbc-mssql"},
	{Library{"SQLite", Database}, "better-sqlite3 sqlite3 modernc.org/sqlite github.com/mattn/go-sqlite3 aiosqlite rusqlite sqlite-jdbc gorm.io/driver/sqlite github.com/glebarez/sqlite"},
	{Library{"MongoDB", Database}, "mongodb go.mongodb.org/mongo-driver* pymongo motor"}, {Library{"Redis", Database}, "redis ioredis github.com/redis/go-redis* django-redis"},
	{Library{"bbolt", Database}, "go.etcd.io/bbolt"},
}

// Libraries lists the notable libraries in a project's manifests, in the order of the table: frameworks before
// databases.
func Libraries(p Place) (out []Library) {
	named := map[string]bool{}
	for _, m := range dependencyFiles {
		if content := p.Read(m.name); content != nil {
			for _, d := range m.list(string(content)) {
				named[strings.ToLower(d)] = true
			}
		}
	}
	if len(named) == 0 {
		return nil
	}
	sorted := slices.Sorted(maps.Keys(named))
	for _, l := range libraries {
		if slices.ContainsFunc(strings.Fields(l.dependencies), func(d string) bool {
			if begin, several := strings.CutSuffix(d, "*"); several {
				return slices.ContainsFunc(sorted, func(n string) bool { return strings.HasPrefix(n, begin) })
			}
			return named[d]
		}) {
			out = append(out, l.library)
		}
	}
	return out
}

var dependencyFiles = []struct {
	name string
	list func(content string) []string
}{
	{"go.mod", matches(goRequirement)},
	{"package.json", packageDependencies},
	{"Cargo.toml", func(content string) []string {
		t := Read([]byte(content))
		return slices.Concat(t.Table("dependencies").Keys(), t.Table("workspace", "dependencies").Keys())
	}},
	{"pyproject.toml", func(content string) (out []string) {
		t := Read([]byte(content))
		for _, d := range t.Table("project").Texts("dependencies") {
			out = append(out, requirement(d))
		}
		return append(out, t.Table("tool", "poetry", "dependencies").Keys()...)
	}},
	{"requirements.txt", requirements}, {"requirements/base.txt", requirements}, {"requirements/production.txt", requirements},
	{"pom.xml", matches(mavenDependency)},
	{"build.gradle", matches(gradleDependency)}, {"build.gradle.kts", matches(gradleDependency)},
	{"pom.xml", matches(groups)}, {"build.gradle", matches(groups)}, {"build.gradle.kts", matches(groups)},
}

var (
	goRequirement    = lazyregexp.New(`(?m)^\s*(?:require\s+)?([\w-]+\.[\w./-]+)\s+v\S+\s*$`)
	mavenDependency  = lazyregexp.New(`<artifactId>\s*([\w.-]+)\s*</artifactId>`)
	groups           = lazyregexp.New(`["'>](com\.h2database)[:<]`) // of artifacts whose name other ecosystems have too
	gradleDependency = lazyregexp.New(`["'][\w.-]+:([\w.-]+)(?::[^"']*)?["']`)
)

// mostDependencies bounds the dependencies that are read from a manifest.
const mostDependencies = 2000

func matches(r *lazyregexp.Regexp) func(content string) []string {
	return func(content string) (out []string) {
		for _, m := range r.FindAllStringSubmatch(content, mostDependencies) {
			out = append(out, m[1])
		}
		return out
	}
}

func packageDependencies(content string) []string {
	var m struct{ Dependencies, DevDependencies map[string]any }
	if json.Unmarshal([]byte(content), &m) != nil {
		return nil
	}
	out := slices.Collect(maps.Keys(m.Dependencies))
	for name := range m.DevDependencies {
		if name == "vite" || name == "svelte" || name == "@sveltejs/kit" || name == "astro" || name == "electron" { // the built application runs without it
			out = append(out, name)
		}
	}
	return out
}

func requirements(content string) (out []string) {
	for line := range strings.Lines(content) {
		out = append(out, requirement(line))
	}
	return out
}

// requirement returns the name in a Python requirement: "fastapi[standard]>=0.1".
func requirement(text string) string {
	text = strings.TrimSpace(text)
	if end := strings.IndexAny(text, "[<>=!~; #@"); end >= 0 {
		text = text[:end]
	}
	return strings.ReplaceAll(text, "_", "-")
}

// Service is a service of a compose file.
type Service struct {
	Name  string
	Image string   // empty if it is built
	Build []string // candidate build directories, nearest first: the Dockerfile's, and the context
	Needs []string
	// Optional is set for a service that only starts with a profile, Development for one that serves no user of the
	// application: a database viewer, a mail catcher, a browser, a service of tests.
	Optional, Development bool
}

// forDevelopment matches names, images and profiles of services for development.
var forDevelopment = lazyregexp.New(`(?i)(?:^|[/_-])(?:mail-?hog|mail-?pit|mail-?dev|mail-?catcher|smtp4dev|inbucket|greenmail|adminer|pgadmin\d?|phpmyadmin|mongo-express|redis-?commander|redis-?insight|kafka-ui|kafdrop|akhq|localstack|azurite|selenium|playwright|cypress|wiremock|mock-?server|toxiproxy|ngrok|storybook|dev|devtools?|development|mocks?|tests?|testing|e2e|debug)(?:$|[/_-])`)

// Services lists the services of a compose file; none if it cannot be read.
func Services(content []byte) (out []Service) {
	entries(string(content), "services", func(name, service *yaml.Node) {
		s := Service{Name: name.Value, Development: forDevelopment.MatchString(name.Value)}
		each(service, func(key, value *yaml.Node) {
			switch key.Value {
			case "image":
				s.Image = value.Value
				image, _, _ := strings.Cut(value.Value, ":")
				s.Development = s.Development || forDevelopment.MatchString(image)
			case "profiles":
				for _, n := range value.Content {
					s.Optional, s.Development = true, s.Development || forDevelopment.MatchString(n.Value)
				}
			case "build":
				context := value.Value
				if at := below(value, "context"); at != nil {
					context = at.Value
				}
				if at := below(value, "dockerfile"); at != nil {
					s.Build = append(s.Build, path.Dir(path.Join(context, at.Value)))
				}
				s.Build = append(s.Build, path.Clean(context))
			case "depends_on":
				for _, n := range value.Content {
					s.Needs = append(s.Needs, n.Value)
				}
				if value.Kind == yaml.MappingNode {
					s.Needs = nil
					each(value, func(name, _ *yaml.Node) { s.Needs = append(s.Needs, name.Value) })
				}
			}
		})
		slices.Sort(s.Needs)
		out = append(out, s)
	})
	return out
}
