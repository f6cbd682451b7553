package manifest_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/causaldocs/causal/knowledge/manifest"
)

func TestBegins(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		files files
		want  []string // path or name
	}{
		"nothing": {files{"main.go": "package main\n"}, nil},
		"a start script that runs another": {
			files{"package.json": `{"scripts": {"start": "npm run start-server", "start-server": "NODE_ENV=production node server/server.js"}}`, "server/server.js": ""},
			[]string{"server/server.js"}},
		"a circle of scripts":         {files{"package.json": `{"scripts": {"start": "npm run start"}}`}, nil},
		"compiled":                    {files{"package.json": `{"scripts": {"start": "node dist/main.js"}}`, "src/main.ts": ""}, []string{"src/main.ts"}},
		"a directory":                 {files{"package.json": `{"scripts": {"start": "node server"}}`, "server/index.js": ""}, []string{"server/index.js"}},
		"compiled, without an ending": {files{"package.json": `{"scripts": {"start": "node dist/src/main"}}`, "src/main.ts": ""}, []string{"src/main.ts"}},
		"a word that is no program":   {files{"package.json": `{"scripts": {"start": "run server"}}`, "server/index.js": ""}, nil},
		"a process manager": {files{"package.json": `{"scripts": {"start": "pm2 start ecosystem.config.json --no-daemon"}}`,
			"ecosystem.config.json": `{"apps": [{"name": "app", "script": "src/index.js"}]}`, "src/index.js": ""}, []string{"src/index.js"}},
		"a script for developers":       {files{"package.json": `{"scripts": {"start": "run-all", "dev": "nodemon --config nodemon.json src/app.js"}}`, "nodemon.json": "{}", "src/app.js": ""}, []string{"src/app.js"}},
		"commands":                      {files{"package.json": `{"bin": {"b": "./bin/b.js", "a": "./a.js"}}`, "bin/b.js": "", "a.js": ""}, []string{"a.js", "bin/b.js"}},
		"a broken package":              {files{"package.json": `{"scripts": [`}, nil},
		"a file of an image":            {files{"Dockerfile": "FROM node\nCMD [\"node\", \"/srv/app/server.js\"]\n", "server.js": ""}, []string{"server.js"}},
		"a program of an image":         {files{"Dockerfile": "FROM scratch\nENTRYPOINT [\"/bin/shopd\"]\nCMD [\"--help\"]\n"}, []string{"name shopd"}},
		"a program behind wrappers":     {files{"Dockerfile": "ENTRYPOINT [\"/usr/bin/tini\", \"--\", \\\n  \"/bin/shopd\"]\n"}, []string{"name shopd"}},
		"a package manager in an image": {files{"Dockerfile": "CMD [\"npm\", \"start\"]\n", "package.json": `{"scripts": {"start": "run-all"}}`}, nil},
		"a script in an image": {files{"Dockerfile": "ENTRYPOINT [\"tini\", \"--\", \"/app/start.sh\"]\n", "start.sh": "#!/bin/sh\nset -e\nexec node --trace dist/index.js\n# end\n",
			"src/index.ts": ""}, []string{"src/index.ts"}},
		"a script that runs its arguments": {files{"Dockerfile": "CMD [\"/entry.sh\", \"node\", \"server.js\"]\n", "entry.sh": "set -e\nexec \"$@\"\n", "server.js": ""}, []string{"server.js"}},
		"a script that starts nothing":     {files{"Dockerfile": "CMD ./start.sh\n", "start.sh": "set -e\n./start.sh\n"}, nil},
		"too long":                         {files{"Dockerfile": "CMD [\"/" + strings.Repeat("a", 300) + "\"]\n", "package.json": `{"bin": "` + strings.Repeat("b/", 200) + `x.js"}`}, nil},
		"the last one counts":              {files{"docker/Dockerfile": "FROM a\nCMD node a.js\nFROM b\nCMD node b.js\n", "a.js": "", "b.js": ""}, []string{"b.js"}},
		"a server with a module":           {files{"Dockerfile": "FROM x\nCMD gunicorn --bind 0.0.0.0:80 shop.wsgi:application\n", "shop/wsgi.py": ""}, []string{"shop/wsgi.py"}},
		"programs of default members":      {files{"Cargo.toml": "[workspace]\ndefault-members = [\"src\"]\n", "src/Cargo.toml": "[[bin]]\nname = \"shop\"\npath = \"bin/shop.rs\"\n", "src/bin/shop.rs": ""}, []string{"src", "src/bin/shop.rs"}},
		"default members":                  {files{"Cargo.toml": "[workspace]\nmembers = [\"a\", \"server\"]\ndefault-members = [\"./server\"]\n"}, []string{"server"}},
		"scripts of a package":             {files{"pyproject.toml": "[project.scripts]\nshop = \"shop.cli:main\"\n", "src/shop/cli.py": ""}, []string{"src/shop/cli.py name shop"}},
		"scripts of Poetry":                {files{"pyproject.toml": "[tool.poetry.scripts]\nshop = \"shop.cli:main\"\n", "shop/cli.py": ""}, []string{"shop/cli.py name shop"}},
		"a path outside of the place":      {files{"package.json": `{"bin": "../x.js"}`, "../x.js": ""}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var got []string
			for _, b := range manifest.Begins(c.files) {
				text := b.Path
				if b.Name != "" {
					text = strings.TrimSpace(b.Path + " name " + b.Name)
				}
				got = append(got, text)
			}
			if !reflect.DeepEqual(got, c.want) {
				t.Errorf("begins %q, want %q", got, c.want)
			}
		})
	}
}
