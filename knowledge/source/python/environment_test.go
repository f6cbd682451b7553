package python_test

import (
	"context"
	"strings"
	"testing"

	"github.com/causaldocs/causal/knowledge/source/python"
)

func TestEnvironment(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ src, want string }{
		"defaults": {`import os
from os import environ
a = os.environ.get("A_ONE", "1")
b = os.getenv("B", default="2") 
c = environ.get("C") or "3"
d = os.environ["D"]
e = os.environ.get("E", other())
f = int(os.environ.get("F", 8000))
os.environ["SET"] = "x"
`, "env A_ONE ~1\nenv B ~2\nenv C ~3\nenv D\nenv E\nenv F ~8000"},
		"a loop": {`import os
for key in "VISUAL", "EDITOR":
    rv = os.environ.get(key)
for key in keys:
    rv = os.environ.get(key)
`, "env EDITOR\nenv VISUAL"},
		"functions": {`import os
from . import conf
def env(key, default="none"):
    return os.environ.get(key, default)
def env_int(key, default=0):
    return int(env(key, default))
def fixed(key, other):
    return os.environ[key] + other
def no(key):
    return os.environ.get(prefix + key)
class Config:
    def env(self, key, default=None):
        value = os.getenv(key)
        if value is None:
            return default
        return value
    def load(self):
        self.port = self.env("PORT", "80")
env("HOST")
env_int("LIMIT", 3)
conf.get("API_KEY")
print("EOF")
`, "env API_KEY <conf.get\nenv HOST <env\nenv LIMIT <env_int ~3\nenv PORT <Config.env ~80\n" +
			"reads  =Config.env :fallback\nreads  =env :fallback ~none\nreads  =fixed\nreads  =env_int <env :fallback ~0"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := python.Language{}.Extract(context.Background(), "p.py", []byte(c.src))
			if got := strings.TrimSpace(said(f)); got != c.want {
				t.Errorf("got:\n%s\nwant:\n%s", got, c.want)
			}
		})
	}
}
