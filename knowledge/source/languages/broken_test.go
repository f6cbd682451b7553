package languages_test

import (
	"context"
	"path"
	"slices"
	"testing"

	"github.com/causaldocs/causal/knowledge/source/languages"
)

// TestBrokenFiles: unfinished calls and classes, as while someone types, do not stop a reader.
func TestBrokenFiles(t *testing.T) {
	t.Parallel()
	for _, c := range [][2]string{
		{"a.ts", "import k from 'knex'\nexport async function up(knex) { await knex.schema.createTable('a', (table) => { table.foreign().references(id"},
		{"a.py", "import argparse\nfrom django.urls import path\nclass Parser(argparse.ArgumentParser)urlpatterns = [path('a', b)]\n"},
		{"a.py", "class Parser(ArgumentParser)urlpatterns"},
		{"a.py", "from fastapi_utils.tasks import repeat_every\nrepeat_every(async"},
		{"a.py", "from flask import Flask\nmetrics.init_app()\n"},
	} {
		for _, l := range languages.All() {
			if !slices.Contains(l.Extensions(), path.Ext(c[0])) {
				continue
			}
			func() {
				defer func() {
					if r := recover(); r != nil {
						t.Errorf("%q: %v", c[1], r)
					}
				}()
				l.Extract(context.Background(), c[0], []byte(c[1]))
			}()
		}
	}
}
