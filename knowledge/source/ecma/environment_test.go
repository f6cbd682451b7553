package ecma

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/causaldocs/causal/knowledge/source"
)

// said are the facts of a file, one a line.
func said(f source.File) string {
	f.Facts = source.SortFacts(f.Facts)
	var b strings.Builder
	for _, x := range f.Facts {
		fmt.Fprintf(&b, "%s %s", x.Kind, x.Name)
		for _, part := range [][2]string{{"=", x.ID}, {"<", x.Of}, {"|", x.Also}, {":", x.Value}, {"~", x.Default}, {"$", x.Usage}, {"?", x.Help}} {
			if part[1] != "" {
				fmt.Fprintf(&b, " %s%s", part[0], part[1])
			}
		}
		b.WriteString("\n")
	}
	return strings.TrimSpace(b.String())
}

func TestEnvironment(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ src, want string }{
		"defaults": {"const a = process.env.A || 'x', b = process.env['B'] ?? 80\nconst c = process.env.C || other\nlisten(process.env.D || 3000 + n)\n",
			"env A ~x\nenv B ~80\nenv C $computed\nenv D $computed"},
		"conversions":  {"const a = process.env.A.trim().toLowerCase() || 'x'\nconst b = get(process.env.B) || 'y'\n", "env A ~x\nenv B"},
		"arithmetic":   {"const a = process.env.A || 60 * 60\nconst b = process.env.B ?? ''\nconst c = process.env.C || { x: 1 }\n", "env A ~60 * 60\nenv B\nenv C"},
		"destructured": {"const { A, B = 'x', 'C-D': c = 1, E: e = f(), ...rest } = process.env\n", "env *\nenv A\nenv B ~x\nenv C-D ~1\nenv E $computed"},
		"in other places": {"const {a = process.env.A} = opts\nconst {B, C = '2'} = process.env || {}\nprocess.env.D ??= '1'\nswitch (a) { case process.env.E: go() }\nsql`${process.env.F}`\n",
			"env A\nenv B\nenv C ~2\nenv D ~1\nenv E\nenv F"},
		"conversions and fallbacks": {"const a = parseInt(process.env.A) || 30 * 60, b = process.env.B?.trim() ?? 'x', c = toNumber(process.env.C, 30000), d = toMap(process.env.D, x)\nconst e = process.env.E.startsWith('x') || 'y'\n",
			"env A ~30 * 60\nenv B ~x\nenv C ~30000\nenv D\nenv E"},
		"conditions": {"if (process.env.A || process.env.B) { go() }\nconst c = process.env.C || process.env.D_D, e = process.env.E || mode === 'x', f = process.env.F || process.env.G ? 1 : 2\nconst hasLogin = process.env.H || process.env.I, isOn = process.env.J || 'yes'\n",
			"env A\nenv B\nenv C $value of D_D\nenv D_D\nenv E\nenv F\nenv G\nenv H\nenv I\nenv J ~yes"},
		"objects of a function": {"function map(env: string, type: string) { return { env, type } }\nexport default () => { const maps = [map('A_A', 'string'), map('A_B', 'path')]; for (const m of maps) set(process.env[m.env]) }\n", "env A_A\nenv A_A <map ~string\nenv A_B\nenv A_B <map ~path"},
		"changed":               {"let code = 0\nfunction f() { code = 5 }\nprocess.exit(code)\n", "exit *"},
		"constants": {"const KEY = 'A_KEY', P = 'B_'\nconst PRE: string = 'SHOP_'\nprocess.env[KEY]; process.env[PRE + 'TOKEN'] || 'x'; process.env[`${PRE}${name}_URL`]; process.env[name]; process.env[PRE] = 1\n",
			"env *\nenv A_KEY\nenv SHOP_*_URL\nenv SHOP_TOKEN ~x"},
		"lists": {"const NAMES = ['A_A', 'A_B']\nconst MAP = { B_A: 1, B_B: 2 }\nfor (const n of NAMES) need(process.env[n])\nObject.keys(MAP).forEach((k) => { process.env[k] });\n['C_A'].map(k => process.env[k] ?? '1')\n",
			"env A_A\nenv A_B\nenv B_A\nenv B_B\nenv C_A ~1"},
		"exits": {"const BUSY = 11\nprocess.exit(BUSY); process.exit(code)\n", "exit *\nexit 11 ?BUSY"},
		"functions": {`function env(name, other) { return process.env[name] || other }
const port = (key) => process.env[key] ?? "80"
const typed = (key: string, or: string): string => process.env[key] ?? or
other(function (key) { return process.env[key] })
const b = env("PORT", "1") + get("API_KEY") + upper("EOF") + conf.get("A_B")
`, "env *\nenv API_KEY <get\nenv PORT <env ~1\nreads  =env :fallback\nreads  =port ~80\nreads  =typed :fallback"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := said(languageOf("a.ts").Extract(context.Background(), "a.ts", []byte(c.src))); got != c.want {
				t.Errorf("got:\n%s\nwant:\n%s", got, c.want)
			}
		})
	}
}

func TestSets(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ src, want string }{
		"next.config.ts":  {"const basePath = process.env.BASE_PATH || ''\nexport default { env: { basePath, mode: 'x' }, other: { env: 1 } }\n", "env BASE_PATH\nsets basePath\nsets mode"},
		"vite.config.mjs": {"export default defineConfig({ define: { 'process.env.APP_VERSION': version } })\n", "sets APP_VERSION"},
		"src/next.ts":     {"export default { env: { mode: 'x' } }\n", ""},
	} {
		if got := said(languageOf("a.ts").Extract(context.Background(), name, []byte(c.src))); got != c.want {
			t.Errorf("%s\ngot:\n%s\nwant:\n%s", name, got, c.want)
		}
	}
}

func TestEnvironmentOfFrameworks(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ src, want string }{
		"objects": {`import { env } from '$env/dynamic/private'
import { env as open } from '$env/dynamic/public'
import { API_KEY, OTHER as o } from '$env/static/private'
const copy = { ...process.env, X: 1 }
env.MAIL_HOST ?? 'x'; open.PUBLIC_A; copy.FROM_COPY; other.MAX_SIZE
const { B_B = '1' } = env
`, "env API_KEY\nenv B_B ~1\nenv FROM_COPY\nenv MAIL_HOST ~x\nenv OTHER\nenv PUBLIC_A\nreads  =copy"},
		"proxies": {`import { env } from '$env/dynamic/private'
class Manager { get(key: string) { return env[key] }  is() { return this.get('IS_A') } }
const manager = new Manager()
export const config = new Proxy(manager, { get(target, prop, receiver) { if (prop in target) return 1
  return target.get(prop as string) } }) as Manager
export const plain = new Proxy({}, { get: (_, prop) => process.env[prop] })
`, "env IS_A <Manager.get\nreads  =Manager.get\nreads  =plain\nreads  =config <Manager.get"},
		"members of others": {"import { config } from './config'\nlisten(config.PORT || 80, config.name, Limits.MAX_SIZE)\n", "env PORT <config ~80"},
		"services": {`import { ConfigService } from '@nestjs/config'
class A {
  constructor(private readonly conf: ConfigService) {}
  a() { return this.conf.get<string>('APP_URL', 'http://x') + this.conf.getOrThrow('TOKEN') + this.conf.get('database.host') || other.get('NOT_ONE') }
  b(key: string) { return this.conf.get(key) }
}
`, "env APP_URL ~http://x\nenv TOKEN\nreads  =A.b"},
		"a service of its own": {"import { ConfigService } from '../config'\nclass A { constructor(private conf: ConfigService) {} a() { return this.conf.get('APP_URL') } }\n", ""},
		"tables": {`import { cleanEnv, str, port } from 'envalid'
const spec = { A_A: str(), A_B: port({ default: 80, desc: 'where' }), A_C: str({ default: f() }), lower: str() }
cleanEnv(process.env, spec)
z.object({ B_A: z.string().min(1).default('x'), B_B: z.string().optional(), B_C: z.coerce.number().describe('how many') }).passthrough().safeParse(process.env)
const schema = z.object({ C_A: z.enum(['A', 'B']) })
export const parsed = schema.parse(process.env)
createEnv({ server: { D_A: z.string() }, client: {}, runtimeEnv: process.env })
ConfigModule.forRoot({ validationSchema: Joi.object({ E_A: Joi.string().required(), E_B: Joi.number().default(3) }) })
other({ F_A: f() })
`, `env A_A $required
env A_B ~80 ?where
env A_C $computed
env B_A ~x
env B_B
env B_C $required ?how many
env C_A $required
env D_A $required
env E_A $required
env E_B ~3`},
		"constants in one another": {"const a0 = f({ X_X: g() }), a1 = f(a0, a0, a0, a0), a2 = f(a1, a1, a1, a1), a3 = f(a2, a2, a2, a2), a4 = f(a3, a3, a3, a3), a5 = f(a4, a4, a4, a4), a6 = f(a5, a5, a5, a5), a7 = f(a6, a6, a6, a6), a8 = f(a7, a7, a7, a7), a9 = f(a8, a8, a8, a8), a10 = f(a9, a9, a9, a9), a11 = f(a10, a10, a10, a10), a12 = f(a11, a11, a11, a11), a13 = f(a12, a12, a12, a12)\ncleanEnv(process.env, a13)\n", "env X_X $required"},
		"fields": {`const all = [{ flags: ['X_ON', 'Y_ON'], name: 'NAME_X' }, { flags: ['Z_ON'], id: 'x' }]
all.filter((p) => p.flags.some((flag) => process.env[flag] === 'true'))
const title = (entry) => process.env[entry.name] ?? entry.id
process.env[entry.missing]
`, "env *\nenv NAME_X $computed\nenv X_ON\nenv Y_ON\nenv Z_ON"},
		"arguments": {`function oauth(make, id, secret) { return () => make({ id: process.env[id], secret: process.env[secret] }) }
const first = (key: string) => () => process.env[key]
const none = (a, key) => process.env[key]
oauth(GitHub, 'GH_ID', 'GH_SECRET'); oauth(Other, 'O_ID', other); first('FIRST')
`, "env *\nenv FIRST\nenv GH_ID\nenv GH_SECRET\nenv O_ID"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := said(languageOf("a.ts").Extract(context.Background(), "a.ts", []byte(c.src))); got != c.want {
				t.Errorf("got:\n%s\nwant:\n%s", got, c.want)
			}
		})
	}
}
