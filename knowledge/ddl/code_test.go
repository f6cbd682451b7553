package ddl_test

import (
	"context"
	"strings"
	"testing"

	"github.com/causaldocs/causal/knowledge/ddl"
	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/knowledge/source/languages"
)

// TestTablesInCode: what readers find of tables in the code of their languages.
func TestTablesInCode(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ file, code, want string }{
		"go": {"m.go", "package m\n\nvar list = []string{`CREATE TABLE carts (id bigint primary key, total int not null)`, \"ALTER TABLE carts \" +\n\t\"ADD n int\"}\n\n" +
			"func down() { exec(\"DROP TABLE carts\") }\n\nfunc made(name string) { exec(\"CREATE TABLE \" + name + \" (id int)\"); exec(\"ALTER TABLE far DROP x\"); exec(\"create table failed\") }\n", `
carts (SQL)
  id bigint key required
  total int required
  n int
change (change)
  ALTER TABLE far DROP x
unread 1 (unread)
`},
		"python": {"m.py", "\"\"\"CREATE TABLE doc (id int)\"\"\"\nx.execute(\"CREATE TABLE a (\"\n  \"id int)\")\ndef downgrade():\n    x.execute(\"DROP TABLE a\")\ndef up():\n    x.execute(\"\"\"ALTER TABLE a ADD n int\"\"\")\n", `
a (SQL)
  id int
  n int
`},
		"django": {"models.py", `from django.db import models
class Dated(models.Model):
    at = models.DateTimeField(auto_now_add=True)
    class Meta:
        abstract = True
class Cart(Dated):
    """A cart. It is full."""
    owner = models.ForeignKey("auth.User", on_delete=models.CASCADE, null=True, db_column="who")
    total = models.IntegerField(default=0, help_text="in cents")
    name = models.CharField(max_length=20, unique=True)
    objects = models.Manager()
    def __str__(self):
        note = models.TextField()
        return ""
    class Meta(Dated.Meta):
        db_table = "carts"
class Form(forms.Form):
    name = forms.CharField()
`, `
Dated (Django) hidden
  at DateTimeField required
Cart as carts of Dated (Django): A cart
  owner ForeignKey refers=auth.User stored=who
  total IntegerField required default=0 about="in cents"
  name CharField(20) unique required
`},
		"sqlalchemy": {"m.py", `from sqlalchemy import Column, Integer, ForeignKey
class Base(DeclarativeBase):
    pass
class Mixin:
    at: Mapped[datetime] = mapped_column(server_default=func.now())
class User(Mixin, Base):
    __tablename__ = "users"
    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[Optional[str]]
    team_id = Column("team", Integer, ForeignKey("teams.id"), nullable=False, comment="whose")
    made = Column(DateTime, default=lambda: datetime.now(UTC), nullable=False)
    teams: Mapped[list["Team"]] = relationship()
`, `
Mixin (SQLAlchemy) hidden
  at datetime required default=func.now()
User as users of Mixin (SQLAlchemy)
  id int key required
  name Optional[str]
  team_id Integer required refers=teams stored=team about=whose
  made DateTime required default=datetime.now(UTC)
`},
		"flask": {"m.py", "from app import db\nclass User(db.Model):\n    id = db.Column(db.Integer, primary_key=True)\n", `
User (SQLAlchemy)
  id db.Integer key required
`},
		"joined inheritance": {"m.py", `from app import Task, db
class Timed(Task):
    __mapper_args__ = {"polymorphic_identity": "timed"}
    id = db.Column(db.Integer, db.ForeignKey("tasks.id"), primary_key=True)
    after = db.Column(db.Integer)
class Single(Task):
    __mapper_args__ = {"polymorphic_identity": "single"}
`, `
Timed of Task (SQLAlchemy)
  id db.Integer key required refers=tasks
  after db.Integer
`},
		"sqlmodel": {"m.py", `from sqlmodel import SQLModel, Field, Relationship
class ItemBase(SQLModel):
    title: str = Field(max_length=9, description="what it is")
class ItemCreate(ItemBase):
    pass
class Item(ItemBase, table=True):
    id: int | None = Field(default=None, primary_key=True)
    owner_id: int = Field(foreign_key="user.id")
    n: int = 3
    owner: User = Relationship()
class Other(SQLModel):
    x: int
`, `
ItemBase (SQLModel) hidden
  title str required about="what it is"
Item of ItemBase (SQLModel)
  id "int | None" key required default=None
  owner_id int required refers=user
  n int required default=3
`},
		"jpa": {"src/main/java/a/Owner.java", `package a;
import jakarta.persistence.*;
/**
 * Owns it.
 * @author me
 */
@Entity
@Table(name = "owners")
public class Owner extends Person {
	private static final long serial = 1;
	@Column(name = "addr", nullable = false) @NotBlank private String address;
	@Id @GeneratedValue private Integer id;
	@ManyToOne @JoinColumn(name = "type_id") private PetType type;
	@OneToMany(cascade = CascadeType.ALL) @JoinColumn(name = "owner_id") private final Map<String, Pet> pets = new HashMap<>();
	@Transient private int n;
	public String getAddress() { return address; }
}
@MappedSuperclass class Person { private String name; }
class Plain { private int x; }
`, `
Owner as owners of Person (JPA): Owns it
  address String required stored=addr
  id Integer key required
  type PetType refers=PetType stored=type_id
  pets "Map<String, Pet>"
Person (JPA) hidden
  name String
`},
		"java": {"src/main/java/a/M.java", "package a;\nclass M { void up() { run(\"CREATE TABLE a (\" + \"id int)\"); run(\"\"\"\n  CREATE TABLE b (\n  n text default 'x')\n\"\"\"); run(\"DROP TABLE \" + name); } }\n", `
a (SQL)
  id int
b (SQL)
  n text default="'x'"
`},
		"javascript": {"m.js", "exports.up = async (q) => {\n  await q.query(`CREATE TABLE a (id int)`)\n  await q.query('ALTER TABLE a ' + 'ADD n int')\n  await q.query(`CREATE TABLE ${name} (id int)`)\n}\nexports.down = async (q) => {\n  await q.query('DROP TABLE a')\n}\n", `
a (SQL)
  id int
  n int
unread 1 (unread)
`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := source.NewClassifier(languages.All()).Language(c.file)
			var b strings.Builder
			for _, f := range l.Extract(context.Background(), c.file, []byte(c.code)).Facts {
				if f.Kind != source.Data {
					continue
				}
				text := f.Name
				for _, part := range [][2]string{{" as ", f.Also}, {" of ", f.Of}, {" ", f.Default}} {
					if part[1] != "" {
						text += part[0] + part[1]
					}
				}
				if text += " (" + f.Value + f.Usage + ")"; f.Usage == source.Hidden {
					text = strings.Replace(text, "hidden)", ") hidden", 1)
				}
				if f.Help != "" {
					text += ": " + f.Help
				}
				b.WriteString("\n" + text)
				said := ddl.FromFact(f.Name, f.Also, f.Value, f.Default, f.Usage, f.Help, f.Doc)
				for _, c := range said.Columns {
					b.WriteString("\n  " + ddl.Line(c))
				}
				if said.Changes != "" {
					b.WriteString("\n  " + said.Changes)
				}
			}
			if got := b.String() + "\n"; got != c.want {
				t.Errorf("got%s\nwant%s", got, c.want)
			}
		})
	}
}
