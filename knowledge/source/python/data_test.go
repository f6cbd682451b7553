package python

import (
	"context"
	"strings"
	"testing"

	"github.com/causaldocs/causal/knowledge/source"
)

// TestTables: models of SQLAlchemy are classes, or calls with the name and the columns of a table.
func TestTables(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ src, want string }{
		"classes": {`from app import db
class User(db.Model):
    __tablename__ = "users"
    id = db.Column(db.Integer, primary_key=True)
`, `SQLAlchemy User users
{"name":"id","type":"db.Integer","key":true,"required":true}`},
		"calls": {`import sqlalchemy as sa
from sqlalchemy import Table, Column
carts = sa.Table("carts", metadata, Column("id", sa.Integer, primary_key=True), sa.Column("user_id", sa.ForeignKey("users.id"), nullable=False))
computed = Table(name, metadata, Column("id", sa.Integer))
none = Table("none", metadata)
other = Grid("carts", Column("id", sa.Integer))
`, `SQLAlchemy carts
{"name":"id","type":"sa.Integer","key":true,"required":true}
{"name":"user_id","refers":"users","required":true}`},
		"Django, other names and bases": {`from django.db import models as m
from shop.base.models import Dated
class Cart(Base, m.Model):
    total = m.IntegerField()
class BigCart(Cart):
    "More."
class Seen(Cart):
    class Meta:
        proxy = True
class Order(Dated): pass
class Form(forms.ModelForm): pass
class Cell(Dated):
    name = db.Column(db.String)
`, `Django Cart
{"name":"total","type":"IntegerField","required":true}
Django BigCart

Django Seen hidden

Django Order inherited
`},
		"a probe in memory": {`import sqlite3
def supports():
    if unknown:
        c = sqlite3.connect(":memory:")
        try:
            c.execute("create table t (id integer primary key)")
        finally:
            c.close()
    return True
def made():
    c = sqlite3.connect(":memory:")
    c.execute("create table kept (id integer)")
    return c
def stored(path):
    c = sqlite3.connect(path)
    c.execute("create table stored (id integer)")
def other(c, d):
    if c is None:
        c = sqlite3.connect(":memory:")
        d.execute("create table other (id integer)")
    c.execute("create table given (id integer)")
`, `SQL kept
{"name":"id","type":"integer"}
SQL stored
{"name":"id","type":"integer"}
SQL other
{"name":"id","type":"integer"}
SQL given
{"name":"id","type":"integer"}`},
		"another library": {"from rich.table import Table, Column\nt = Table(\"title\", Column(\"name\"))\n", ""},
	} {
		var got []string
		for _, f := range (Language{}).Extract(context.Background(), "a.py", []byte(c.src)).Facts {
			if f.Kind == source.Data {
				got = append(got, strings.Join(strings.Fields(f.Value+" "+f.Name+" "+f.Also+" "+f.Usage), " "), f.Doc)
			}
		}
		if strings.Join(got, "\n") != c.want {
			t.Errorf("%s:\n got %s\nwant %s", name, strings.Join(got, "\n"), c.want)
		}
	}
}
