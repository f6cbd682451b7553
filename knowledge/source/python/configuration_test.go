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
