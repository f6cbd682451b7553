package languages_test

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/knowledge/source/languages"
	"github.com/causaldocs/causal/knowledge/source/sourcetest"
)

// TestFlows checks entries and steps of flows in each language. A branch that ends the function is not a step, arguments precede the call,
// and calls that leave the program are shown even in a long flow.
func TestFlows(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		module string
		files  map[string]string
		want   string // the first flow
	}{
		"go": {".", map[string]string{
			"go.mod": "module example.com/f\n",
			"main.go": `package main
import ("net/http"; "example.com/f/resp"; "example.com/f/store")
// serve handles one.
func serve(w http.ResponseWriter, r *http.Request) {
	id, ok := store.Find(r.PathValue("id"))
	if !ok {
		resp.BadRequest(w)
		return
	}
	defer store.Close()
	store.Save(id)
	resp.JSON(w)
}
func main() { http.HandleFunc("GET /carts/{id}", serve); http.ListenAndServe(":80", nil) }
`,
			"store/store.go": "package store\nfunc Find(id string) (string, bool) { return key(id), id != \"\" }\nfunc Save(id string) { key(id) }\nfunc Close() {}\nfunc key(id string) string { return id }\n",
			"resp/resp.go":   "package resp\nimport \"net/http\"\nfunc BadRequest(w http.ResponseWriter) {}\nfunc JSON(w http.ResponseWriter) { w.Write(nil) }\n",
		}, "serve: store.Find store.Save resp.JSON"},
		"go, little functions of other modules": {".", map[string]string{
			"go.mod":         "module example.com/f\n",
			"main.go":        "package main\nimport (\"net/http\"; \"example.com/f/store\")\nfunc serve(w http.ResponseWriter, r *http.Request) { if store.IsGone(store.Save(store.Path(r.URL.Path))) { return }; store.Close() }\nfunc main() { http.HandleFunc(\"GET /carts/{id}\", serve) }\n",
			"store/store.go": "package store\nimport (\"errors\"; \"io/fs\"; \"path\"; \"example.com/f/keys\")\n// Path returns a path.\nfunc Path(id string) string { return path.Join(\"carts\", id) }\n// IsGone reports it.\nfunc IsGone(err error) bool { return errors.Is(err, fs.ErrNotExist) }\nfunc Save(id string) error { return keys.Put(id) }\nfunc Close() { keys.Drop() }\n",
			"keys/keys.go":   "package keys\nfunc Put(id string) error { return nil }\nfunc Drop() {}\n",
		}, "serve: store.Save store.Close?"},
		"java, a singleton of another module": {"app", map[string]string{
			"app/Shop.java": "package app;\nimport core.App;\nimport core.Log;\npublic class Shop {\n  public void buy() {\n    App.getInstance();\n    Log.write();\n    Log.close();\n  }\n}\n",
			"core/App.java": "package core;\npublic class App {\n  public static App getInstance() { Log.write(); return null; }\n}\n",
			"core/Log.java": "package core;\nimport java.nio.file.Files;\npublic class Log {\n  public static void write() { Files.delete(null); }\n  public static void close() { Files.delete(null); }\n}\n",
		}, "Shop.buy: Log.write Log.close"},
		"java, a private overload before the public one": {"src", map[string]string{
			"src/Mail.java": "package src;\nimport java.nio.file.Files;\npublic class Mail {\n  private static void send(String a, String b) {\n    host();\n    deliver();\n  }\n  public static void send(String a) {\n    user();\n    send(a, \"b\");\n  }\n  static void host() { Files.delete(null); }\n  static void deliver() { Files.delete(null); }\n  static void user() { Files.delete(null); }\n}\n",
		}, ""},
		"go, a value that handles": {".", map[string]string{
			"go.mod":         "module example.com/f\n",
			"main.go":        "package main\nimport (\"net/http\"; \"example.com/f/store\")\ntype saver struct{}\nfunc newSaver() *saver { go store.Open(); store.Migrate(); store.Check(); return &saver{} }\nfunc (s *saver) ServeHTTP(w http.ResponseWriter, r *http.Request) { store.Find(); store.Save() }\nfunc routes() { http.Handle(\"GET /save\", newSaver()) }\n",
			"store/store.go": "package store\nfunc Open() {}\nfunc Migrate() {}\nfunc Check() {}\nfunc Find() {}\nfunc Save() {}\n",
		}, "saver.ServeHTTP: store.Find store.Save"},
		"go, interfaces of another module": {".", map[string]string{
			"go.mod":         "module example.com/f\n",
			"main.go":        "package main\nimport (\"net/http\"; \"example.com/f/store\")\ntype api struct { db store.DB; store.Cache }\nfunc (a *api) save(w http.ResponseWriter, r *http.Request) { a.db.Save(a.db.Name()); a.Drop(1); tell(a.db); store.Open().Close() }\nfunc tell(c store.Closer) { c.Close() }\nfunc (a *api) routes() { http.HandleFunc(\"POST /carts\", a.save) }\n",
			"store/store.go": "package store\ntype DB interface { Closer; Save(n string) error; Name() string }\ntype Closer interface { Close() error }\ntype Cache interface { Drop(n int) }\nfunc Open() DB { return nil }\n",
		}, "api.save: DB.Save Cache.Drop tell Closer.Close store.Open DB.Close"},
		"python, methods of a base class of another module": {"api", map[string]string{
			"api/__init__.py":  "",
			"api/orders.py":    "from base.client import Client\nclass Orders(Client):\n    def place(self, o):\n        self.send(o)\n        self.log(o)\n",
			"base/__init__.py": "",
			"base/client.py":   "import requests\nclass Root:\n    def log(self, o):\n        requests.get(o)\nclass Client(Root):\n    def send(self, o):\n        requests.post(o)\n",
		}, "orders.Orders.place: client.Client.send client.Root.log"},
		"python, a method of a type behind another module": {"api", map[string]string{
			"api/__init__.py":        "",
			"api/orders.py":          "from store import Store\ndef place(s: Store, o):\n    s.save(o)\n    s.send(o)\n",
			"store/__init__.py":      "from .disk.files import Files as Store\n",
			"store/disk/__init__.py": "",
			"store/disk/files.py":    "import requests\nclass Files:\n    def save(self, o):\n        requests.put(o)\n    def send(self, o):\n        requests.post(o)\n",
		}, "orders.place: files.Files.save files.Files.send"},
		"go, a command": {"cmd", map[string]string{
			"go.mod":      "module example.com/f\n",
			"cmd/main.go": "package main\nimport \"os\"\nfunc main() { v := read(os.Args[1])\nif v == nil { die() }\nwrite(parse(v)) }\nfunc read(f string) []byte { b, _ := os.ReadFile(f); return b }\nfunc parse(b []byte) []byte { return trim(b) }\nfunc trim(b []byte) []byte { return b }\nfunc write(b []byte) { os.WriteFile(\"out\", b, 0) }\nfunc die() { os.Exit(1) }\n",
		}, "main: read parse write"},
		"go, a handler that is built": {".", map[string]string{
			"go.mod":         "module example.com/f\n",
			"main.go":        "package main\nimport (\"net/http\"; \"example.com/f/store\")\nfunc serve(s int) http.HandlerFunc {\n  return func(w http.ResponseWriter, r *http.Request) {\n    id := store.Find(s)\n    if id > 0 { store.Save(id) } else { store.New(s) }\n  }\n}\nfunc main() { http.HandleFunc(\"GET /carts\", serve(1)); http.ListenAndServe(\":80\", nil) }\n",
			"store/store.go": "package store\nfunc Find(id int) int { return key(id) }\nfunc Save(id int) { key(id) }\nfunc New(id int) { key(id) }\nfunc key(id int) int { return id }\n",
		}, "serve: store.Find store.Save? store.New!"},
		"go, a function that builds one": {"api", map[string]string{
			"go.mod":     "module example.com/f\n",
			"api/api.go": "package api\nimport (\"os\"; \"net/http\")\nfunc Start() { load(); listen(wrap()); save() }\nfunc wrap() http.HandlerFunc { trace(); return func(w http.ResponseWriter, r *http.Request) { check(); save() } }\nfunc load() { os.ReadFile(\"a\") }\nfunc save() { os.WriteFile(\"a\", nil, 0) }\nfunc check() { os.Remove(\"a\") }\nfunc trace() { os.Remove(\"b\") }\nfunc listen(h http.HandlerFunc) { http.ListenAndServe(\":80\", h) }\n",
		}, "Start: load wrap trace listen save"},
		"python": {"shop", map[string]string{
			"shop/routes.py": `from fastapi import APIRouter, HTTPException
from shop import crud, mail
router = APIRouter()

@router.post("/users")
def create_user(user):
    if crud.find(user):
        raise HTTPException(mail.complain(user))
    try:
        crud.save(mail.text(user))
    finally:
        mail.close()
    mail.send(user)
`,
			"shop/__init__.py": "",
			"shop/crud.py":     "import sqlalchemy\n\ndef find(u): return sqlalchemy.select(u)\n\ndef save(u): sqlalchemy.insert(u)\n",
			"shop/mail.py":     "import smtplib\n\ndef complain(u): return clean(u)\n\ndef text(u): return clean(u)\n\ndef clean(u): return u\n\ndef send(u): smtplib.SMTP(u).send_message(u)\n\ndef close(): smtplib.SMTP()\n",
		}, "routes.create_user: crud.find mail.text crud.save mail.send"},
		"python, a decorator": {"shop", map[string]string{
			"shop/cart.py": "import sqlalchemy\n\ndef logged(f): return sqlalchemy.select(f)\n\ndef find(u): return sqlalchemy.select(u)\n\ndef save(u): sqlalchemy.insert(u)\n\n@logged\n@logged(find)\nasync def update(cart, key=logged(1)):\n    save(find(cart))\n",
		}, "cart.update: cart.find cart.save"},
		"typescript, a decorator": {"src", map[string]string{
			"src/cart.ts":   "import pg from 'pg';\nimport { logged, named } from './logged';\nexport class Cart {\n  @logged\n  @named('x', logged(1))\n  async update(id) { save(find(id)); }\n}\nfunction find(id) { return pg.query(id); }\nfunction save(id) { return pg.query(id); }\n",
			"src/logged.ts": "import pg from 'pg';\nexport function logged(f) { return pg.query(f); }\nexport function named(n) { return pg.query(n); }\n",
		}, "cart.Cart.update: cart.find cart.save"},
		"python, imports that a package exports": {"app", map[string]string{
			"app/__init__.py":   "from .extensions import init\nfrom .log import conf\n\ndef create_app(c=1):\n    conf()\n    init(c)\n    return c\n",
			"app/extensions.py": "import sqlalchemy\n\ndef init(a):\n    sqlalchemy.insert(a)\n",
			"app/log.py":        "def conf():\n    open(1)\n",
		}, "create_app: log.conf extensions.init"},
		"typescript": {"src/api", map[string]string{
			"src/api/orders.ts": `import { Router } from 'express';
import { find, save } from '../store/orders';
import { body } from './body';
export const router = Router();
export async function place(req, res) {
  const order = await find(body(req));
  if (!order) { return deny(res); }
  try { await save(order); } catch (e) { throw fail(e); } finally { tidy(); }
  res.json(order);
}
function deny(res) { return body(res); }
function fail(e) { return body(e); }
function tidy() { body(1); }
router.post('/orders', place);
`,
			"src/api/body.ts":     "export function body(r) { return parse(r); }\nfunction parse(r) { return r; }\n",
			"src/store/orders.ts": "import { client } from './client';\nexport function find(o) { return client.find(o); }\nexport function save(o) { return client.save(o); }\n",
			"src/store/client.ts": "import pg from 'pg';\nexport const client = pg.connect();\n",
		}, "orders.place: body.body orders.find orders.deny? orders.save!"},
		"java": {"shop", map[string]string{
			"shop/OrderController.java": `package shop;
import org.springframework.web.bind.annotation.*;
@RestController
class OrderController {
  Orders orders;
  @PostMapping("/orders")
  public String place(Order o) {
    if (!o.valid()) { return o.reason(); }
    orders.save(o.priced(new Rate()));
    return "ok";
  }
}
`,
			"shop/Order.java":  "package shop;\npublic class Order { public boolean valid() { return total() > 0; } public int total() { return 1; } public String reason() { return String.valueOf(total()); } public Order priced(Rate r) { r.of(this); return this; } }\n",
			"shop/Rate.java":   "package shop;\npublic class Rate { public int of(Order o) { return o.total(); } }\n",
			"shop/Orders.java": "package shop;\nimport org.springframework.data.repository.Repository;\npublic interface Orders extends Repository<Order, Long> { Order save(Order o); }\n",
		}, "OrderController.place: Order.valid Order.reason? Order.priced! Rate.of Orders.save!"},
		"typescript, a handler that is wrapped": {"src/api", map[string]string{
			"src/api/users.ts": `import pg from 'pg';
import { wrap, cached } from '../wrap';
export const list = wrap(async (req, res) => {
  const users = await find(req);
  users.forEach(u => tidy(u));
  if (users.length) send(res, users);
}, { retries: 3 });
const find = cached(async (req) => pg.query(filter(req)));
const all = [1].map(n => send(n, n));
function filter(req) { return tidy(req); }
function send(res, users) { pg.query(users); }
function tidy(u) { pg.query(u); }
`,
			"src/wrap.ts": "export const wrap = (fn) => (req, res) => fn(req, res);\nexport const cached = (fn) => fn;\n",
		}, "users.list: users.find users.filter users.tidy users.send?"},
		"javascript, a handler that is wrapped": {"api", map[string]string{
			"api/users.js": "const pg = require('pg');\nexports.list = wrap(limit(async function (req, res) { const u = await find(req); send(res, u); }));\nfunction find(req) { return pg.query(req); }\nfunction send(res, u) { pg.query(u); }\n",
		}, "users.list: users.find users.send"},
		"go, a handler that is wrapped": {"api", map[string]string{
			"go.mod":     "module example.com/f\n",
			"api/api.go": "package api\nimport (\"os\"; \"net/http\")\nvar List = wrap(func(w http.ResponseWriter, r *http.Request) { find(); send() })\nfunc wrap(h http.HandlerFunc) http.HandlerFunc { return h }\nfunc find() { os.ReadFile(\"a\") }\nfunc send() { os.WriteFile(\"a\", nil, 0) }\n",
		}, "List: find send"},
		"java, accessors of another module": {"web", map[string]string{
			"web/Orders.java":  "package web;\nimport model.Order;\nimport model.Store;\npublic class Orders { Store store; public void place(Order o) { store.save(o.getId()); o.setName(o.name()); store.send(o); } }\n",
			"model/Order.java": "package model;\npublic class Order { public int getId() { return 1; } public void setName(String n) { this.n = n; } public String name() { return n; } }\n",
			"model/Store.java": "package model;\nimport java.sql.Connection;\npublic class Store { Connection c; public void save(int id) { c.commit(); } public void send(Order o) { c.commit(); } }\n",
		}, "Orders.place: Store.save Store.send"},
		"java, queries of an interface of another module": {"web", map[string]string{
			"web/Orders.java":       "package web;\nimport store.OrderStore;\npublic class Orders { OrderStore store; public void place(String id) { store.isOpen(); store.getLines(id); store.save(id); } }\n",
			"store/OrderStore.java": "package store;\nimport java.sql.Connection;\npublic interface OrderStore { boolean isOpen(); Connection getLines(String id); Connection save(String id); }\n",
		}, "Orders.place: OrderStore.getLines OrderStore.save"},
		"java, an abstract method": {"shop", map[string]string{
			"shop/Task.java": "package shop;\npublic abstract class Task { public void run(Order o) { check(o); this.retry(o); end(o); }\n  private void check(Order o) { h(1); h(2); h(3); }\n  private void end(Order o) { h(1); h(2); h(3); } private void h(int i) {}\n  /** Tries again. */ protected abstract void retry(Order o); }\n",
		}, "Task.run: Task.check Task.retry Task.end"},
		"java, a method of an interface": {"shop", map[string]string{
			"shop/Papers.java": "package shop;\npublic class Papers { Index index; public void file(Paper p) { check(p); index.abstractOf(p); end(p); }\n  private void check(Paper p) { h(1); h(2); h(3); }\n  private void end(Paper p) { h(1); h(2); h(3); } private void h(int i) {} }\n",
			"shop/Index.java":  "package shop;\npublic interface Index { /** Keeps the summary. */ void abstractOf(Paper p); }\n",
		}, "Papers.file: Papers.check Index.abstractOf Papers.end"},
		"java, private methods, and a function with many callers": {"shop", map[string]string{
			"shop/Orders.java": "package shop;\npublic class Orders { public void place(Order o) { check(o); Tool.trim(o); save(o); }\n  private void check(Order o) { Tool.trim(o); Tool.trim(o); read(o); }\n  private void save(Order o) { write(o); Tool.trim(o); }\n  private void read(Order o) { h(1); h(2); h(3); }\n  private void write(Order o) { h(1); h(2); h(3); } private void h(int i) {} }\n",
			"shop/Tool.java":   "package shop;\npublic class Tool { /** Trims. */ public static void trim(Order o) { a(); b(); c(); } public void d1(Order o) { trim(o); } public void d2(Order o) { trim(o); } public void d3(Order o) { trim(o); } }\n",
		}, "Orders.place: Orders.check Orders.read Orders.save Orders.write +1"},
		"rust": {"src", map[string]string{
			"Cargo.toml":   "[package]\nname = \"shop\"\n",
			"src/main.rs":  "mod store;\nuse axum::{routing::post, Router};\nasync fn place(id: u32) -> Result<(), E> {\n    if id == 0 { return Err(store::refuse(id)); }\n    let o = store::find(id).ok_or(store::refuse(id))?;\n    store::save(price(o));\n    Ok(())\n}\nfn price(o: u32) -> u32 { round(o) }\nfn round(o: u32) -> u32 { o }\nfn main() { let app = Router::new().route(\"/orders\", post(place)); }\n",
			"src/store.rs": "use std::fs;\npub fn find(id: u32) -> Option<u32> { fs::read(id) }\npub fn save(id: u32) { fs::write(id) }\npub fn refuse(id: u32) -> E { log(id) }\nfn log(id: u32) -> E { E }\npub struct E;\n",
		}, "place: store.find price store.save"},
		"rust, functions that a module exports": {"src", map[string]string{
			"Cargo.toml":       "[package]\nname = \"shop\"\nedition = \"2021\"\n",
			"src/main.rs":      "use axum::routing::get;\nuse crate::cmd::other::inner::wipe;\nmod cmd;\nfn main() { wipe(); get(cmd::get); cmd::build(1); cmd::check(2); cmd::other::Disk { size: 1 }.open(2); cmd::other::clean() }\n",
			"src/cmd/mod.rs":   "mod build;\npub mod other;\npub use self::build::build;\npub use self::other::check;\npub fn get() { check(2) }\n",
			"src/cmd/build.rs": "use std::fs;\npub fn build(c: u32) -> u32 { fs::write(c) }\n",
			"src/cmd/other.rs": "use std::fs;\npub struct Disk { size: u32 }\nimpl Disk { pub fn open(self, c: u32) -> u32 { fs::read(c) } }\npub fn check(c: u32) -> u32 { fs::read(c) }\npub fn clean() { fs::read(1) }\npub mod inner { pub fn wipe() { std::fs::read(1) } }\n",
		}, "main: other.inner.wipe build.build other.check other.Disk.open other.clean"},
		"rust, a library that runs the program": {"src", map[string]string{
			"Cargo.toml":  "[package]\nname = \"shop\"\n",
			"src/main.rs": "fn main() { shop::main(); }\n",
			"src/lib.rs":  "use std::fs;\npub fn main() {\n    let c = load();\n    std::process::exit(match run(c) { Ok(n) => n, Err(e) => complain(e) });\n}\nfn load() -> u32 { fs::read(0) }\nfn run(c: u32) -> u32 { match c { 1 => store(c), _ => remove(c) } }\nfn store(c: u32) -> u32 { fs::write(c) }\nfn remove(c: u32) -> u32 { fs::remove_file(c) }\nfn complain(e: u32) -> u32 { fs::write(e) }\n",
		}, "main: load run store? remove!"},
		"c": {"src", map[string]string{
			"src/copy.c": "#include <stdio.h>\n#include <stdlib.h>\nstatic int grow(int n) { return n * 2; }\nstatic int size(int n) { return grow(n); }\nstatic void put(int n) { fputc(n, 0); }\nstatic int get(void) { return fgetc(0) + fread(0, 1, 1, 0); }\nstatic void usage(void) { puts(\"usage\"); exit(1); }\nint main(int argc, char **argv) {\n  int n;\n  if (argc < 2) usage();\n  n = get();\n  if (n < 0) { put(size(n)); goto fail; }\n  put(size(n));\n  return 0;\nfail:\n  return 1;\n}\n",
		}, "main: get size put"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := firstFlow(t, c.files, c.module); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

// flowsOf returns the flows of a module of files.
func flowsOf(t *testing.T, files map[string]string, module string) []source.Flow {
	project, resolvers, modules := sourcetest.Project{Files: files, Languages: languages.All()}, map[string]source.Resolver{}, map[string]source.Module{}
	for _, l := range languages.All() {
		resolvers[l.Name()] = l.Resolver(project)
		for name, src := range files {
			if !slices.Contains(l.Extensions(), path.Ext(name)) {
				continue
			}
			f, err := source.Extract(context.Background(), l, name, []byte(src))
			if err != nil || f.Problem != "" {
				t.Fatal(name, err, f.Problem)
			}
			m := modules[path.Dir(name)]
			m.Path, m.Units = path.Dir(name), append(m.Units, source.Unit{Path: name, File: f})
			modules[m.Path] = m
		}
	}
	tables := map[string]source.Table{}
	for dir, m := range modules {
		slices.SortFunc(m.Units, func(a, b source.Unit) int { return strings.Compare(a.Path, b.Path) })
		tables[dir] = source.NewTable(m, m.Declarations(), resolvers)
	}
	m := modules[module]
	linker := source.Linker{Table: func(m string) (source.Table, bool) { t, ok := tables[m]; return t, ok }}
	return source.NewReferences(m, m.Declarations(), resolvers, linker).Flows()
}

// firstFlow formats the first flow of a module: the entry, and the last name of each called function.
func firstFlow(t *testing.T, files map[string]string, module string) string {
	flows := flowsOf(t, files, module)
	if len(flows) == 0 {
		return ""
	}
	text := flows[0].Entry + ":"
	cases := casesOf(flows[0].Steps)
	for i, s := range flows[0].Steps {
		if s.Module != module && !strings.Contains(s.Name, ".") {
			s.Name = path.Base(s.Module) + "." + s.Name
		}
		text += " " + s.Name + cases[i]
	}
	if flows[0].More > 0 {
		text += fmt.Sprint(" +", flows[0].More)
	}
	return text
}

// casesOf marks the steps that run in some or in other cases, or in a loop.
func casesOf(steps []source.Step) []string {
	mark := func(when string) string {
		switch {
		case source.When(when).Excludes():
			return "!"
		case strings.HasSuffix(when, string(source.InLoop)):
			return "*"
		case strings.HasSuffix(when, string(source.InBackground)):
			return "&"
		}
		return "?"
	}
	blocks, out := map[string][]string{}, make([]string, len(steps))
	for i, s := range steps {
		open := blocks[s.From][:s.Within]
		for when := range strings.SplitSeq(string(s.When), source.Within) {
			if s.When != "" {
				open = append(open, mark(when))
			}
		}
		if blocks[s.From] = open; len(open) > 0 {
			out[i] = open[len(open)-1]
		}
	}
	return out
}
