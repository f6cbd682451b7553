package ecma

import (
	"strings"

	"github.com/causaldocs/causal/knowledge/lazy"
	"github.com/causaldocs/causal/knowledge/lazyregexp"
	"github.com/causaldocs/causal/knowledge/source"
)

func init() {
	shared := source.Traits{
		Entries: true, Constructor: "constructor", Heads: []string{"index"}, ToolFiles: []string{"gulpfile.js", "Gruntfile.js"},
		Scripts: []string{".js", ".mjs", ".cjs", ".ts", ".mts"}, Suffixes: append(TypeScript.Extensions(), JavaScript.Extensions()...),
		Standard: func(name string) bool {
			top, _, _ := strings.Cut(name, "/")
			return strings.HasPrefix(name, "node:") || nodeModules.Get()[top]
		},
		Installed: func(name string) string {
			parts := strings.SplitN(name, "/", 3)
			if strings.HasPrefix(name, "@") {
				return strings.Join(parts[:min(2, len(parts))], "/")
			}
			return parts[0]
		},
		TestImports: []string{"jest", "@jest/globals", "vitest", "mocha", "node:test", "ava"}, Apostrophes: true, LongStrings: []string{"`"},
		Renders: func(path string, s *source.Symbol) bool {
			name := s.Name[strings.LastIndexByte(s.Name, '.')+1:]
			return strings.HasSuffix(path, "sx") && name != "" && (name == "render" || name == "default" || name[0] >= 'A' && name[0] <= 'Z')
		},
	}
	typed, plain := shared, shared
	typed.Title, typed.Local, typed.Private, typed.Manifests = "TypeScript", true, []string{"private"}, []string{"package.json"}
	typed.Fences = []string{"ts", "typescript", "tsx", "mts"}
	plain.Ignores, plain.Built = isHashed, isBuilt
	plain.Title, plain.Kin, plain.Fences = "JavaScript", "typescript", []string{"js", "javascript", "jsx", "mjs", "cjs", "node"}
	plain.Domain = &source.Domain{
		Name: "js", Directives: map[string]bool{"function": false, "class": true, "method": false, "data": false, "attribute": false},
		Symbol: func(signature string) (name, language string) {
			if m := describedName.FindStringSubmatch(signature); m != nil {
				name = strings.ReplaceAll(m[1], "#", ".")
			}
			return name, "javascript"
		},
	}
	plain.Dialect = &source.Dialect{
		Name: "javascript", Endings: "js jsx mjs cjs ts tsx mts cts vue svelte",
		Words: "function var let typeof instanceof of async await yield delete export extends finally get set interface type implements " +
			"namespace declare readonly abstract public private protected keyof as from number string boolean any unknown never",
	}
	source.RegisterTraits(TypeScript, typed)
	source.RegisterTraits(JavaScript, plain)
}

var describedName = lazyregexp.New(`^([\pL_$][\pL\d_$]*(?:[.#][\pL_$][\pL\d_$]*)*)\s*(?:$|[(=:])`)

var nodeModules = lazy.Words(`assert async_hooks buffer child_process cluster console constants crypto dgram diagnostics_channel dns
	domain events fs http http2 https inspector module net os path perf_hooks process punycode querystring readline repl
	stream string_decoder timers tls trace_events tty url util v8 vm wasi worker_threads zlib`)
