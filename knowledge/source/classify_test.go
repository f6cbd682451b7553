package source_test

import (
	"testing"

	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/knowledge/source/golang"
)

func TestClassify(t *testing.T) {
	t.Parallel()
	c := source.NewClassifier([]source.Language{golang.Language{}})
	for name, want := range map[string]source.Classification{
		"a.go":                   {Language: "go", Readable: true},
		"cmd/x/main.go":          {Language: "go", Readable: true},
		"vendor/x/a.go":          {},
		"a/node_modules/x.rb":    {},
		"a/testdata/a.go":        {},
		".github/x.sh":           {},
		"_examples/a.go":         {},
		"_examples/a.rb":         {Language: "ruby"},
		"lib/a.rb":               {Language: "ruby"},
		"Makefile":               {Language: "make"},
		"data.json":              {},
		"pkg/README.md":          {Readme: true},
		"README":                 {Readme: true},
		"readme.rst":             {Readme: true},
		"README.MD":              {Readme: true},
		"README_old.md":          {},
		"vendors/vendor.go":      {Language: "go", Readable: true},
		"tools/vendor/README.md": {},
		".gradle":                {},

		"pkg/tests/samples/a/main.rb":        {},
		"pkg/tests/samples/a/main.go":        {Language: "go", Readable: true},
		"test/configCases/x/index.rb":        {},
		"src/test/resources/Broken.rb":       {},
		"spec/custom-fixtures/a.rb":          {},
		"tests/fixtures/README.md":           {},
		"tests/fixtures/data.py":             {},
		"tests/helpers/a.rb":                 {Language: "ruby"},
		"src/test/java/org/samples/a/A.kt":   {Language: "kotlin"},
		"src/test/resources/Broken.kt":       {},
		"samples/a.rb":                       {Language: "ruby"},
		"src/main/resources/init.sql":        {},
		"src/main/resources/init.rb":         {Language: "ruby"},
		"src/samples/test/a.rb":              {Language: "ruby"},
		"tests/fixtures.rb":                  {Language: "ruby"},
		"internal/testing/snapshots/take.go": {Language: "go", Readable: true},
	} {
		if got := c.Classify(name); got != want {
			t.Errorf("%s: got %+v, want %+v", name, got, want)
		}
	}
}

func TestReadme(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][2]string{
		"# Shop\n\n[![ci](x)](y)\n\nSells things.\nMany of them.\n\nMore.":                                               {"Shop", "Sells things.\nMany of them."},
		"# Shop\n\nShop is a server that includes:\n\n- carts,\n- **sales**\n\nMore.":                                    {"Shop", "Shop is a server that includes:\ncarts, **sales**."},
		"# Shop\n\nShop is a server that includes:\n\n- a list of carts that nobody wants to read in one line of text\n": {"Shop", "Shop is a server that includes…"},
		"# SHOP (Sells Held Objects)\n\nSells things.":                                                                   {"SHOP", "Sells things."},
		"Shop\n====\n\nSells things.":                                                                                    {"Shop", "Sells things."},
		"Shop\n----\n\nSells things.\n\nUse\n---\n":                                                                      {"Shop", "Sells things."},
		"English | Deutsch\n\n# Shop #\n\nSells things.":                                                                 {"Shop", "Sells things."},
		"# Shop\n\nSells things.\n\n# Install\n\nFetch it.":                                                              {"Shop", "Sells things."},
		"[![ci](x)](y)\n\nSells things.\n\n# Features\n\nMany.\n\n# Licence":                                             {"", "Sells things."},
		"```sh\n# install\n```\n\nSells things.":                                                                         {"", "Sells things."},
		"<h1 align=center><img> Shop</h1>\n\nSells things.":                                                              {"Shop", "Sells things."},
		"<p align=center>\n  <img>\n</p>\n\nSells *things*.":                                                             {"", "Sells *things*."},
		"**Sells things for [money](m).**\n\n## Contents":                                                                {"", "Sells things for money."},
		"**Sells** and **buys**":                                                                                         {"", "**Sells** and **buys**"},
		"```\ncode\n```\n\nText is.":                                                                                     {"", "Text is."},
		"# Shop &emsp; [![Build]][ci] [![v]](u)\n\n[Build]: https://example.com\n[ci]: x\n\nSells things.":               {"Shop", "Sells things."},
		"[![a](\nb)](\nc)\n[![d](e)](\nf)\n\nSells things.":                                                              {"", "Sells things."},
		"# Shop\n\n## Getting started\n\nInstall it.":                                                                    {"Shop", ""},
		"# Shop\n\n## Start\n\nInstall it.\n\n## What it is\n\nSells things.":                                            {"Shop", "Sells things."},
		"# Only a title": {"Only a title", ""},
		"🔥 **NEW**: [v4](u) is out!\n\n# Shop\n\nSells things.":                                                                  {"Shop", "Sells things."},
		"# Shop\n\n[News](a) • [Docs](b) • [Chat](c)\n\nSells things.":                                                           {"Shop", "Sells things."},
		"# Shop\n\nDocumentation: https://shop.example\n\nSells things.":                                                         {"Shop", "Sells things."},
		"# Shop\n\nSee the [manual](m).\n\nSells things.":                                                                        {"Shop", "Sells things."},
		"# Shop\n\n## Shop 2 is out!\n\nBuy it.\n\n---\n\nSells things.":                                                         {"Shop", "Sells things."},
		"# Shop\n\nDocumentation: https://shop.example\n\n## Install\n\nFetch":                                                   {"Shop", ""},
		"<img src=x>\n\n## What is Shop?\n\nShop sells things. Get Shop.":                                                        {"Shop", "Shop sells things. Get Shop."},
		"# What is shop? ![badge](b.svg)\n\nshop sells things.":                                                                  {"", "shop sells things."},
		"Quick start.\n\nWhat is Shop?\n---\n\nShop sells. Shop buys.":                                                           {"Shop", "Shop sells. Shop buys."},
		"# [**Shop - a tiny market for all**](#shop)\n\nIt sells.":                                                               {"Shop", "It sells."},
		"# Shop - a tiny market for all\n\nFor usage questions, ask us.\n\nIt sells.":                                            {"Shop", "It sells."},
		"# fd\n\n[![x](y)](z)\n[[中文](https://x.io)]\n[[한국어](https://y.io)]\n\n`fd` finds entries.":                               {"fd", "`fd` finds entries."},
		"<img src=x>\n\n## What's new?\n\nAll is new, new, new.":                                                                 {"", "All is new, new, new."},
		"<img src=x>\n\n## What's Included?\n\nMany things.":                                                                     {"", "Many things."},
		"<img src=x>\n\n## Install\n\nFetch it.\n\n## What is Shop?\n\nShop is a Shop.":                                          {"", "Shop is a Shop."},
		"# Shop sells so many things to so many people that this is no name any more\n\nIt does.":                                {"", "It does."},
		"# Shop\n\n[中文](x)\n\nBuilding requires a shop.\n\nIt sells.":                                                            {"Shop", "It sells."},
		"# Shop\n\n> Sells things\n> at once.\n\nIf Shop helps you, please consider supporting it.":                              {"Shop", "Sells things\nat once."},
		"# Shop\n\nIf Shop is useful, consider [donating](x).\n\n> Not below the title.\n\nIt sells.":                            {"Shop", "It sells."},
		"# Shop\n\n> [!NOTE]\n> It is old.\n\nIt sells.":                                                                         {"Shop", "It sells."},
		"<p align=center>\n  <i>Shop sells many things.</i><br/>\n  <a href=x>Site</a> | <a href=y>Docs</a>\n</p>\n\n## Install": {"", "Shop sells many things."},
		"<h1 align=center>\n  <img src=x>\n  Shop\n</h1>\n\n<h4>The shop that sells things.</h4>\n\n## Features":                 {"Shop", "The shop that sells things."},
		"<img src=x>\n\n### Sell things, without a shop\n\n[Site](x) [Docs](y)\n\nShop is a seller.\n\n## Use":                   {"", "Shop is a seller."},
		"# <div><img src=x> </br> Shop</div>\n\n[Install](x) ᛫ [Use](y)\n\nSells things.":                                        {"Shop", "Sells things."},
		"# <img src=x>\n\nSells things.":                                                                                         {"", "Sells things."},
		"<h1>Shop<h1>\n\nSells many things.":                                                                                     {"Shop", "Sells many things."},
		"# Shop\n\n<h3>A fast shop for all\n\nIt sells.":                                                                         {"Shop", "A fast shop for all"},
		"# Shop\n\nSells things.\n\n```html\n<h1>\n```\n\n## Use":                                                                {"Shop", "Sells things."},
		"# Shop\n\nShop maps Option<B> and Result<S, E> to List.":                                                                {"Shop", "Shop maps Option<B> and Result<S, E> to List."},
		"<a href=x><div><img></div><div>Ads, built for all to see.</div></a>\n\nSells `<b>` things.":                             {"", "Sells `<b>` things."},
		"# Shop\n\nShopping made easy.\n\n- It sells\n  things\n\n## About\n\nThis project is a *seller* of things.":             {"Shop", "This project is a *seller* of things."},
		"": {"", ""},
		// A sponsor's product.
		"# shop-q\n\n> Queue of many small shops\n\nUseful.\n\n---\n\n<div><sup>Special thanks to:</sup><br><b>Sell with Acme</b><div><sup>Acme is a tool that sells</sup></div></div>\n\n---\n\n## Use": {"shop-q", "Queue of many small shops"},
		"# shop-q\n\n> Queue of many small shops\n\n<div><sup>Acme is a tool that sells</sup></div>\n\nShopQ is a queue.":                                                                                {"shop-q", "ShopQ is a queue."},
		"# shop-q\n\nSponsored by\n\nAcme is a tool that sells.\n\n---\n\nSells many things to many people in a queue.":                                                                                  {"shop-q", "Sells many things to many people in a queue."},
		// A section after an introduction without a title.
		"Shop is a package that sells things.\n\n# Getting Started\n\nTo start using Shop, install Go.":  {"", "Shop is a package that sells things."},
		"Shop is a package that sells things.\n\nGetting Started\n=====\n\n## Installing\n\nInstall Go.": {"", "Shop is a package that sells things."},

		"# [SECURITY WARNING](u)\n\nAddresses can be spoofed here.\n\n# Shop\n\nSells things.\n\n```shop```\n\n```sh\n# Run\n```\n": {"Shop", "Sells things."},
	} {
		got := source.Readme("README.md", []byte(text))
		if got.Package != want[0] || got.Doc != want[1] {
			t.Errorf("%q: got %q and %q, want %q and %q", text, got.Package, got.Doc, want[0], want[1])
		}
		if below := source.Readme("tools/README.md", []byte(text)); below.Package != "" || below.Doc != want[1] {
			t.Errorf("%q below the root: got %q and %q", text, below.Package, below.Doc)
		}
	}
}

func TestReadmeInReStructuredText(t *testing.T) {
	t.Parallel()
	text := "Shop\n====\n\n`Shop <https://shop.example>`_ sells\nto snake_case_, `and more\n<https://x.example>`__, `all else`_ and Python_.\n"
	if got := source.Readme("README.rst", []byte(text)).Doc; got != "Shop sells\nto snake_case, and more, all else and Python." {
		t.Errorf("got %q", got)
	}
}

func TestLicence(t *testing.T) {
	t.Parallel()
	for doc, want := range map[string]bool{
		"Copyright 2026 the authors.\nMore.": true, "(c) 2026 Ada": true, "  SPDX-License-Identifier: MIT": true, "@license MIT": true,
		"Licensed under the MIT licence.": true, "Copyright The Authors": true,
		"License finds licences.": false, "Copyright lines are checked here.": false, "Checks copyright lines.": false, "": false,
	} {
		if got := source.Licence(doc); got != want {
			t.Errorf("%q: %t", doc, got)
		}
	}
}

func TestServiceFiles(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]bool{
		"META-INF/services/com.x.Plugin": true, "app/src/main/resources/META-INF/services/com.x.Plugin": true,
		"app/src/test/resources/META-INF/services/com.x.Plugin": false, "META-INF/services/deep/com.x.Plugin": false,
		"XMETA-INF/services/com.x.Plugin": false, "META-INF/com.x.Plugin": false,
	} {
		if got := source.IsService(name); got != want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

func TestSchemaFiles(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]bool{
		"db/1_init.sql": true, "db/1_init.up.sql": true, "prisma/schema.prisma": true, "db/1_init.down.sql": false, "db/1/down.sql": false, "schema/changelog-4.xml": true, "src/main/resources/liquibase/master.xml": true, "pom.xml": false,
		"vendor/x/a.sql": false, "tests/a.sql": false, "a.go": false, "a.sqlite": false,
	} {
		if got := source.IsSchema(name); got != want {
			t.Errorf("%s: got %v", name, got)
		}
	}
}
