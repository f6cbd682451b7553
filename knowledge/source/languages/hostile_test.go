package languages_test

import (
	"errors"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/knowledge/source/languages"
	"github.com/causaldocs/causal/knowledge/source/token"
)

// TestProductsAreRefused: a file where each of many parts makes the reader go over all of many others is not read.
func TestProductsAreRefused(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("A", 24)
	for name, c := range map[string]struct{ file, before, some, between, others, after string }{
		"middleware of routes":    {"a.go", "package p\nimport \"github.com/go-chi/chi/v5\"\nfunc f(r chi.Router) {\nr = r.With(m", ", a", ")\n", "r.Get(\"/x#\", h)\n", "}"},
		"columns of tables":       {"a.go", "package p\nimport \"gorm.io/gorm\"\ntype M struct { gorm.Model\n", "A# int\n", "}\n", "type N# struct { M }\n", ""},
		"embedded twice":          {"a.go", "package p\nimport \"gorm.io/gorm\"\n", "", "", "type M# struct { M0#; A M0# `gorm:\"embedded\"`; ID int `gorm:\"primaryKey\"` }\ntype M0# struct { M#; B M# `gorm:\"embedded\"` }\n", ""},
		"fields of literals":      {"a.go", "package p\nimport \"flag\"\ntype M struct {\n", "A# string\n", "}\n", "var x# = M{}\nfunc f#() { flag.String(x#.A1, x#.A2, \"\") }\n", ""},
		"methods with routers":    {"a.go", "package p\nimport \"github.com/go-chi/chi/v5\"\n", "func (s *S) r#(r chi.Router) { r.Get(\"/a\", h) }\n", "", "func New#() *S { return nil }\n", ""},
		"a long prefix":           {"b.py", "import os\nP = 'A_", long, "'\n", "os.getenv(P + 'X#')\n", ""},
		"a prefix of settings":    {"b.py", "from pydantic import BaseSettings\nclass S(BaseSettings):\n  class Config: env_prefix = 'A", long, "'\n", "  a#: int = 1\n", ""},
		"actions of view sets":    {"b.py", "from rest_framework import viewsets, routers\nrouter = routers.DefaultRouter()\nclass V(viewsets.ModelViewSet):\n", "  def a#(self): pass\n", "", "router.register('x#', V)\n", ""},
		"results of decorators":   {"b.py", "import celery\ndef task():\n", "  if a: return b#()\n", "", "@task\ndef f#(): pass\n", ""},
		"positional arguments":    {"b.py", "import argparse\np = argparse.ArgumentParser()\n", "", "", "p.add_argument('x#')\n", ""},
		"a schema of models":      {"c.ts", "import {Schema, model} from 'mongoose'\nconst S = new Schema({", "a#: String, ", "})\n", "model('M#', S)\n", ""},
		"variables of parameters": {"c.ts", "function f(", "a#, ", ") {\n", "process.env[a#]\n", "}"},
		"paths of controllers":    {"c.ts", "import {Controller, Get} from '@nestjs/common'\n@Controller([", "'a#', ", "]) class C {\n", "@Get('b#') f#() {}\n", "}"},
		"guards of controllers":   {"c.ts", "import {Controller, Get, UseGuards} from '@nestjs/common'\n", "@UseGuards(A#) ", "@Controller('x') class C {\n", "@Get('b#') f#() {}\n", "}"},
		"versions of controllers": {"c.ts", "import {Controller, Get} from '@nestjs/common'\n@Controller({version: [", "'#', ", "]}) class C {\n", "@Get('b#') f#() {}\n", "}"},
		"paths of classes":        {"E.java", "@RestController @RequestMapping({", "\"/a#\", ", "\"\"}) class C {\n", "@GetMapping(\"b#\") void f#() {}\n", "}"},
		"paths of interfaces":     {"E.java", "@RestController @RequestMapping({", "\"/a#\", ", "\"\"}) class C implements ", "I#, ", "X {}"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			again := func(part string) string {
				var b strings.Builder
				for n := 1; part != "" && b.Len() < 64<<10; n++ {
					b.WriteString(strings.ReplaceAll(part, "#", strconv.Itoa(n)))
				}
				return b.String()
			}
			text := c.before + again(c.some) + c.between + again(c.others) + c.after
			l := languages.All()[slices.IndexFunc(languages.All(), func(l source.Language) bool { return slices.Contains(l.Extensions(), path.Ext(c.file)) })]
			if _, err := source.Extract(t.Context(), l, c.file, []byte(text)); !errors.Is(err, token.ErrInvolved) {
				t.Errorf("it is read: %v", err)
			}
		})
	}
}
