package languages_test

import "testing"

// TestCallsOnFields: the type of a field is that of its declaration, of the parameter of the constructor that it holds, or of
// the object that the class makes for it. A method of an interface
// is a step itself.
func TestCallsOnFields(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		module string
		files  map[string]string
		want   string
	}{
		"go, a field of an interface": {"api", map[string]string{
			"go.mod":           "module example.com/f\n",
			"api/peers.go":     "package api\nimport \"net/http\"\ntype Service interface { Find(id string) string; Save(id string) }\ntype Peers struct { service Service }\nfunc (p Peers) serve(w http.ResponseWriter, r *http.Request) {\n\tid := p.service.Find(r.PathValue(\"id\"))\n\tp.service.Save(id)\n}\nfunc Add(p Peers) { http.HandleFunc(\"GET /carts/{id}\", p.serve) }\n",
			"service/peers.go": "package service\nimport \"os\"\ntype PeerService struct{}\nfunc (s *PeerService) Find(id string) string { b, _ := os.ReadFile(id); return string(b) }\nfunc (s *PeerService) Save(id string) { os.WriteFile(id, nil, 0) }\n",
		}, "Peers.serve: Service.Find Service.Save"},
		"go, a field and a variable of another file": {"api", map[string]string{
			"go.mod":           "module example.com/f\n",
			"api/app.go":       "package api\nimport \"example.com/f/service\"\ntype App struct { peers *service.PeerService }\nvar shared = &App{}\n",
			"api/peers.go":     "package api\nimport \"net/http\"\nfunc Add() { http.HandleFunc(\"GET /carts/{id}\", serve) }\nfunc serve(w http.ResponseWriter, r *http.Request) { place(shared) }\nfunc place(app *App) {\n\tid := app.peers.Find(\"x\")\n\tshared.peers.Save(id)\n}\n",
			"service/peers.go": "package service\nimport \"os\"\ntype PeerService struct{}\nfunc (s *PeerService) Find(id string) string { b, _ := os.ReadFile(id); return string(b) }\nfunc (s *PeerService) Save(id string) { os.WriteFile(id, nil, 0) }\n",
		}, "serve: place PeerService.Find PeerService.Save"},
		"go, variables that name each other as types": {"api", map[string]string{
			"go.mod":       "module example.com/f\n",
			"api/vars.go":  "package api\nvar a b\nvar b a\nvar c c\nfunc save() { os.Remove(\"x\") }\n",
			"api/peers.go": "package api\nimport \"os\"\nfunc Run() {\n\ta.x()\n\tc.y.z()\n\tread()\n\twrite()\n}\nfunc read() { os.ReadFile(\"x\") }\nfunc write() { os.WriteFile(\"x\", nil, 0) }\n",
		}, "Run: read write"},
		"go, the result of a function of another package": {"cmd", map[string]string{
			"go.mod":           "module example.com/f\n",
			"cmd/main.go":      "package main\nimport \"example.com/f/service\"\nfunc main() {\n\ts, err := service.New()\n\tif err != nil { panic(err) }\n\ts.Find(\"x\")\n\ts.Save(\"x\")\n}\n",
			"service/peers.go": "package service\nimport \"os\"\ntype PeerService struct{}\nfunc New() (*PeerService, error) { return &PeerService{}, os.Mkdir(\"x\", 0) }\nfunc (s *PeerService) Find(id string) string { b, _ := os.ReadFile(id); return string(b) }\nfunc (s *PeerService) Save(id string) { os.WriteFile(id, nil, 0) }\n",
		}, "main: service.New PeerService.Find PeerService.Save"},
		"python, a field": {"shop", map[string]string{
			"shop/__init__.py": "",
			"shop/service.py":  "from shop.repo import Repo\n\nclass Service:\n    def __init__(self, mail: 'Mail'):\n        self.repo = Repo()\n        self.mail = mail\n\n    def place(self, order):\n        self.repo.find(order)\n        self.repo.save(order)\n        self.mail.send(order)\n\nclass Mail:\n    def send(self, order):\n        open(order)\n",
			"shop/repo.py":     "import sqlalchemy\n\nclass Repo:\n    def find(self, o): return sqlalchemy.select(o)\n\n    def save(self, o): sqlalchemy.insert(o)\n",
		}, "service.Service.place: repo.Repo.find repo.Repo.save service.Mail.send"},
		"python, a field of a class of another module": {"shop", map[string]string{
			"shop/__init__.py": "",
			"shop/service.py":  "from data.repo import Repo\n\nclass Service:\n    repo: Repo\n\n    def place(self, order):\n        self.repo.find(order)\n        self.repo.save(order)\n",
			"data/__init__.py": "",
			"data/repo.py":     "import sqlalchemy\n\nclass Repo:\n    def find(self, o): return sqlalchemy.select(o)\n\n    def save(self, o): sqlalchemy.insert(o)\n",
		}, "service.Service.place: repo.Repo.find repo.Repo.save"},
		"typescript, fields": {"src/api", map[string]string{
			"src/api/orders.ts": "import { Repo } from '../store/repo';\nimport { Mail } from './mail';\nexport class Orders {\n  private mail = new Mail();\n  constructor(private readonly repo: Repo) {}\n  async place(order) {\n    await this.repo.find(order);\n    await this.repo.save(order);\n    await this.mail.send(order);\n  }\n}\n",
			"src/api/mail.ts":   "import fs from 'fs';\nexport class Mail { send(o) { fs.writeFile(o); } }\n",
			"src/store/repo.ts": "import pg from 'pg';\nexport class Repo { find(o) { return pg.find(o); } save(o) { return pg.save(o); } }\n",
		}, "orders.Orders.place: repo.Repo.find repo.Repo.save mail.Mail.send"},
		"typescript, a field with an initial value that another takes the place of": {"src/api", map[string]string{
			"src/api/orders.ts": "import { Repo } from '../store/repo';\nimport { Mail } from './mail';\nexport class Orders {\n  private mail = new Mail();\n  private repo = new Repo();\n  use(o) { this.mail = connect(o); }\n  async place(order) {\n    await this.mail.send(order);\n    await this.repo.find(order);\n    await this.repo.save(order);\n  }\n}\n",
			"src/api/mail.ts":   "import fs from 'fs';\nexport class Mail { send(o) { fs.writeFile(o); } }\n",
			"src/store/repo.ts": "import pg from 'pg';\nexport class Repo { find(o) { return pg.find(o); } save(o) { return pg.save(o); } }\n",
		}, "orders.Orders.place: repo.Repo.find repo.Repo.save"},
		"typescript, a field with an initial value and an object that takes its place": {"src/api", map[string]string{
			"src/api/orders.ts": "import { Repo } from '../store/repo';\nimport { Mail } from './mail';\nexport class Orders {\n  private mail = connect();\n  private repo = new Repo();\n  use(o) { this.mail = new Mail(); }\n  async place(order) {\n    await this.mail.send(order);\n    await this.repo.find(order);\n    await this.repo.save(order);\n  }\n}\n",
			"src/api/mail.ts":   "import fs from 'fs';\nexport class Mail { send(o) { fs.writeFile(o); } }\n",
			"src/store/repo.ts": "import pg from 'pg';\nexport class Repo { find(o) { return pg.find(o); } save(o) { return pg.save(o); } }\n",
		}, "orders.Orders.place: repo.Repo.find repo.Repo.save"},
		"typescript, a field that is made again": {"src/api", map[string]string{
			"src/api/orders.ts": "import { Repo } from '../store/repo';\nimport { Mail } from './mail';\nexport class Orders {\n  private mail = new Mail();\n  private repo = new Repo();\n  reset() { this.mail = undefined; this.repo = null; this.mail = new Mail(); }\n  async place(order) {\n    await this.mail.send(order);\n    await this.repo.find(order);\n    await this.repo.save(order);\n  }\n}\n",
			"src/api/mail.ts":   "import fs from 'fs';\nexport class Mail { send(o) { fs.writeFile(o); } }\n",
			"src/store/repo.ts": "import pg from 'pg';\nexport class Repo { find(o) { return pg.find(o); } save(o) { return pg.save(o); } }\n",
		}, "orders.Orders.place: mail.Mail.send repo.Repo.find repo.Repo.save"},
		"typescript, a field of a class in another": {"src/api", map[string]string{
			"src/api/orders.ts": "import { Repo } from '../store/repo';\nimport { Mail } from './mail';\nexport class Orders {\n  private mail = new Mail();\n  private repo = new Repo();\n  use(o) { return new (class { set(m) { this.mail = m; } })(); }\n  async place(order) {\n    await this.mail.send(order);\n    await this.repo.find(order);\n    await this.repo.save(order);\n  }\n}\n",
			"src/api/mail.ts":   "import fs from 'fs';\nexport class Mail { send(o) { fs.writeFile(o); } }\n",
			"src/store/repo.ts": "import pg from 'pg';\nexport class Repo { find(o) { return pg.find(o); } save(o) { return pg.save(o); } }\n",
		}, "orders.Orders.place: mail.Mail.send repo.Repo.find repo.Repo.save"},
		"typescript, a field with a declared type and an initial value": {"src/api", map[string]string{
			"src/api/orders.ts": "import { Repo } from '../store/repo';\nimport { Mail } from './mail';\nexport class Orders {\n  private mail: Mail = new Mail();\n  private repo = new Repo();\n  use(o) { this.mail = connect(o); }\n  async place(order) {\n    await this.mail.send(order);\n    await this.repo.find(order);\n    await this.repo.save(order);\n  }\n}\n",
			"src/api/mail.ts":   "import fs from 'fs';\nexport class Mail { send(o) { fs.writeFile(o); } }\n",
			"src/store/repo.ts": "import pg from 'pg';\nexport class Repo { find(o) { return pg.find(o); } save(o) { return pg.save(o); } }\n",
		}, "orders.Orders.place: mail.Mail.send repo.Repo.find repo.Repo.save"},
		"javascript, fields": {"src/api", map[string]string{
			"src/api/orders.js": "const { Repo } = require('../store/repo');\nconst Mail = require('./mail');\nclass Orders {\n  constructor() {\n    this.repo = new Repo();\n    this.mail = new Mail();\n  }\n  async place(order) {\n    await this.repo.find(order);\n    await this.repo.save(order);\n    await this.mail.send(order);\n  }\n}\nmodule.exports = Orders;\n",
			"src/api/mail.js":   "const fs = require('fs');\nclass Mail { send(o) { fs.writeFile(o); } }\nmodule.exports = Mail;\n",
			"src/store/repo.js": "const pg = require('pg');\nclass Repo { find(o) { return pg.find(o); } save(o) { return pg.save(o); } }\nmodule.exports = { Repo };\n",
		}, "orders.Orders.place: repo.Repo.find repo.Repo.save mail.Mail.send"},
		"java, fields": {"shop", map[string]string{
			"shop/Orders.java": "package shop;\npublic class Orders {\n  private final Repo repo;\n  private final Mail mail = new Mail();\n  public Orders(Repo repo) { this.repo = repo; }\n  public void place(String o) {\n    this.repo.find(o);\n    repo.save(o);\n    this.mail.send(o);\n  }\n}\n",
			"shop/Repo.java":   "package shop;\nimport java.sql.DriverManager;\npublic class Repo { public void find(String o) { DriverManager.getConnection(o); } public void save(String o) { DriverManager.getConnection(o); } }\n",
			"shop/Mail.java":   "package shop;\nimport java.sql.DriverManager;\npublic class Mail { public void send(String o) { DriverManager.getConnection(o); } }\n",
		}, "Orders.place: Repo.find Repo.save Mail.send"},
		"java, inherited methods": {"shop", map[string]string{
			"shop/Orders.java":     "package shop;\nimport data.OrderDAO;\npublic class Orders {\n  private final OrderDAO dao;\n  public Orders(OrderDAO dao) { this.dao = dao; }\n  public void remove(String o) {\n    dao.find(o);\n    dao.delete(o);\n  }\n}\n",
			"data/OrderDAO.java":   "package data;\nimport java.sql.DriverManager;\npublic class OrderDAO extends GenericDAO<String> { public void find(String o) { DriverManager.getConnection(o); } }\n",
			"data/GenericDAO.java": "package data;\nimport java.sql.DriverManager;\npublic abstract class GenericDAO<T> { public void delete(T o) { DriverManager.getConnection(o); } }\n",
		}, "Orders.remove: OrderDAO.find GenericDAO.delete"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := firstFlow(t, c.files, c.module); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}
