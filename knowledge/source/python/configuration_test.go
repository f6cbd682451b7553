package python_test

import (
	"context"
	"strings"
	"testing"

	"github.com/causaldocs/causal/knowledge/source/python"
)

func TestConfiguration(t *testing.T) {
	t.Parallel()
	src := `from pydantic import BaseModel, Field
from pydantic_settings import BaseSettings, SettingsConfigDict
class Database(BaseModel):
    host: str = "localhost"
class AppConfig(BaseModel):
    port: int = Field(80, description="where")
    db: Database
    names: list[str] = []
    _own: int = 1
    def f(self):
        x: int = 3
class Settings(BaseSettings):
    model_config = SettingsConfigDict(env_prefix="APP_")
    debug: bool = False
    key: str = Field(default="x", alias="other", validation_alias="secret")
class Item(BaseModel):
    id: int
class Other:
    id: int
`
	want := `config  =AppConfig <*
config  =Settings <*
config db <AppConfig :Database $required
config debug <Settings :bool ~False
config host <Database :str ~localhost
config names <AppConfig :list[str]
config port <AppConfig :int ~80 ?where
config secret <Settings :str ~x
env APP_DEBUG ~False
env SECRET ~x`
	got := said(python.Language{}.Extract(context.Background(), "p.py", []byte(src)))
	var lines []string
	for line := range strings.Lines(strings.TrimSpace(got)) {
		for _, id := range []string{" =Database", " =int", " =str", " =bool"} {
			if !strings.Contains(line, "<*") {
				line = strings.Replace(line, id, "", 1)
			}
		}
		lines = append(lines, line)
	}
	if strings.Join(lines, "") != want {
		t.Errorf("got:\n%s\nwant:\n%s", strings.Join(lines, ""), want)
	}
}

func TestSettingLiterals(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ src, want string }{
		"pairs": {`PORT = 80
SHOP_CONFIG: Schema = OrderedDict([
    ("server", OrderedDict([("port", {"value": PORT, "help": "where " "it listens", "type": int}), ("hosts", {"value": ["a", "b"], "help": "names"})])),
    ("auth", {"user": {"default": None, "description": "who"}, "_extra": str}),
])
`, `config  =SHOP_CONFIG <*
config auth.user <SHOP_CONFIG ~None ?who
config server.hosts <SHOP_CONFIG ~["a", "b"] ?names
config server.port <SHOP_CONFIG :int ~80 ?where it listens`},
		"no descriptions": {`CONFIG = {"a": {"value": 1}, "b": {"value": 2}, "c": {"value": 3}}
`, ""},
		"no settings": {`FRUITS = {"a": {"value": 1, "help": "x"}, "b": {"value": 2, "help": "y"}, "c": {"value": 3, "help": "z"}}
`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := strings.TrimSpace(said(python.Language{}.Extract(context.Background(), "p.py", []byte(c.src)))); got != c.want {
				t.Errorf("got:\n%s\nwant:\n%s", got, c.want)
			}
		})
	}
}
