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
`, "env A_ONE ~1\nenv B ~2\nenv C ~3\nenv D $required\nenv E $computed\nenv F ~8000"},
		"a prefix of a configuration": {`from dynaconf import Dynaconf
settings = Dynaconf(envvar_prefix="SHOP", settings_files=["s.toml"])
`, "env SHOP_* ?overrides keys of the configuration"},
		"renamed imports": {`from os import environ as env, getenv as setting
a = env["A"]
b = setting("B", "2")
c = env.get("C")
`, "env A $required\nenv B ~2\nenv C"},
		"after a failure": {`import os
try:
    a = os.environ["A"]
except KeyError:
    b = os.environ["B"]
with open(os.environ["C"]) as f:
    d = os.environ["D"]
`, "env A\nenv B\nenv C $required\nenv D $required"},
		"required": {`import os
a = os.environ["A"]
if x:
    b = os.environ["B"]
try:
    c = os.environ["C"]
except KeyError:
    pass
d = os.environ["D"] if "D" in os.environ else None
def f():
    with g():
        return os.environ["E"]
def h():
    if x:
        return y
    return os.environ["F"]
`, "env A $required\nenv B\nenv C\nenv D\nenv E $required\nenv F"},
		"rows of dictionaries, and a path": {`import os
def schedule():
    tasks = [{"key": "A_CRON", "otherwise": "0 * * * *"}, {"key": "B_CRON", "otherwise": "5 * * * *"}]
    for task in tasks:
        value = os.getenv(task["key"], task["otherwise"])
def path(key, default=None):
    if key not in os.environ:
        return default if default is None else Path(default).resolve()
    return Path(os.environ[key])
`, "env A_CRON ~0 * * * *\nenv B_CRON ~5 * * * *\nreads  =path :fallback"},
		"names": {`import os
PREFIX = "SHOP_"
KEY: str = "API_KEY"
os.environ[PREFIX + "TOKEN"]
os.getenv(f"{PREFIX}HOST", 60 * 60)
os.getenv(f"{prefix}_PORT")
os.getenv(KEY, "x")
os.getenv(settings.name)
`, "env *\nenv *_PORT\nenv API_KEY ~x\nenv SHOP_HOST ~60 * 60\nenv SHOP_TOKEN $required"},
		"dictionaries": {`import os
NAMES = {"DATABASE_URL": "postgres://localhost", "LISTEN_ADDR": ":8080"}
MORE = ("B_A", "B_B")
s = {k: os.environ.get(k, v) for k, v in NAMES.items()}
for key in MORE:
    os.environ[key]
t = [os.getenv(n) for n in ["C_A"]]
`, "env B_A $required\nenv B_B $required\nenv C_A\nenv DATABASE_URL ~postgres://localhost\nenv LISTEN_ADDR ~:8080"},
		"proxies": {"from urllib.request import getproxies\ninfo = getproxies()\n", "env ALL_PROXY\nenv HTTPS_PROXY\nenv HTTP_PROXY\nenv NO_PROXY"},
		"helpers": {`from decouple import config
DEBUG = config("DEBUG_MODE", default=False, cast=bool)
KEY = config("SECRET_KEY")
PORT = config("A_PORT", default=80)
`, "env A_PORT ~80\nenv DEBUG_MODE ~False\nenv SECRET_KEY $required"},
		"exits": {`import sys
from sys import exit as leave
leave(4)
BUSY = 11
def main():
    code = 0
    if x:
        code = BUSY
    sys.exit(code)
def run():
    if y:
        return 3
    return other()
sys.exit(run())
sys.exit(BUSY)
sys.exit("no")
`, "exit *\nexit 0\nexit 11\nexit 3\nexit 4"},
		"names in variables": {`import os
def env(key, default=None):
    return os.environ.get(key) or default
def load(x):
    key = "A_ONE"
    a = env(key)
    key = other(x)
    b = env(key)
class Base:
    def get_config(self, key):
        return os.environ[key]
class Plugin(Base):
    def run(self):
        return self.get_config("DEBUG"), self.config("TIMEOUT"), self.print("EOF")
`, "env A_ONE <env\nenv DEBUG <Base.get_config\nenv TIMEOUT <Base.config\nreads  =Base.get_config $required\nreads  =env :fallback"},
		"other names": {`import os
def secret(s, default=None):
    if path := os.getenv(s + "_FILE"):
        return open(path).read()
    return os.getenv(s, default)
def prefixed(s):
    return os.environ["APP_" + s]
KEY = secret("SECRET_KEY", "-")
`, "env *_FILE\nenv APP_* $required\nenv SECRET_KEY <secret ~-\nreads  =secret :fallback\nreads *_FILE =secret\nreads APP_* =prefixed"},
		"options of a configuration": {`import configparser, os
before = ini["server"]["NEVER"]
class Env(configparser.BasicInterpolation):
    def before_get(self, parser, section, option, value, defaults):
        return os.getenv(option) or value
ini = configparser.ConfigParser(interpolation=Env())
class Config:
    KEY = ini["server"]["SECRET_KEY"]
    port = int(ini["server"]["PORT"])
    low = ini["server"]["low"]
    safe = ini["more"].getboolean("SAFE_MODE", fallback=True)
`, "env PORT\nenv SAFE_MODE ~True\nenv SECRET_KEY"},
		"a loop": {`import os
for key in "VISUAL", "EDITOR":
    rv = os.environ.get(key)
for key in keys:
    rv = os.environ.get(key)
`, "env *\nenv EDITOR\nenv VISUAL"},
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
`, "env *\nenv API_KEY <conf.get\nenv HOST <env\nenv LIMIT <env_int ~3\nenv PORT <Config.env ~80\n" +
			"reads  =Config.env :fallback\nreads  =env :fallback ~none\nreads  =fixed $required\nreads  =env_int <env :fallback ~0"},
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
