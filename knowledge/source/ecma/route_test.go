package ecma

import (
	"context"
	"testing"
)

func TestRoutesAndMounts(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ src, want string }{
		"express": {`const express = require('express'), users = require('./users'), other = require('other')
const app = express(), admin = express.Router()
app.get('/health', auth, h.health)
admin.post('/:id', (req, res) => {})
app.use('/admin', auth, admin)
app.use('/users', users)
app.use(require('./all.js'))
app.use(prefix, require('./hidden'))
app.route('/things').get(list).put(change)
app.get(['/a', '/a/*'], auth, show)
app.use(express.json())
app.use('/static', serve)
module.exports = admin
`, `mount  =admin <* $handed
mount  =@./all#default <app
mount  =admin <default $handed
mount $(prefix) =@./hidden#default <app
mount /admin =admin <app :auth
mount /static =serve <app
mount /users =@./users#default <app
route GET /a <app |auth :show
route GET /a/* <app |auth :show
route GET /health <app |auth :h.health
route GET /things <app :list
route POST /:id <admin
route PUT /things <app :change`},
		"sails": {`module.exports.routes = {
  'GET /api/users': 'users/index',
  'POST /api/users': { action: 'users/create', csrf: false },
  'GET /files/*': { fn: serve },
  '/': { view: 'pages/home' },
  'GET https://other.example/x': 'other',
};
`, `route GET /api/users <* :users/index
route GET /files/* <*
route POST /api/users <* :users/create`},
		"koa": {`import Router from 'koa-router'
import { router as users } from './users/index.js'
export const api = new Router({ prefix: '/api' })
api.del('/x', drop)
api.use('/users', users.routes(), users.allowedMethods())
app.use(api.routes())
export default api
`, "mount  =api <* $handed\nmount  =api <app\nmount  =api <default $handed\nmount /api/users =@./users/index#router <api\nroute DELETE /api/x <api :drop"},
		"koa, paths without a slash": {`import Router from 'koa-router'
const router = new Router()
router.post('stars.create', auth(), async (ctx) => {})
router.get('stars of', one, two)
app.get('mode', two)
export default router
`, "mount  =router <* $handed\nmount  =router <default $handed\nroute POST /stars.create <router |auth"},
		"koa-mount": {`import mount from 'koa-mount'
import api from './api'
import all from './all'
app.use(mount('/api', api))
app.use(mount(all))
`, "mount  =@./all#default <app\nmount /api =@./api#default <app"},
		"a default that another file has": {"export { default } from './stars'\n", "mount  =@./stars#default <default"},
		"requires in a function": {`(async () => {
  const all = require('./users')
  app.use(all)
})()
`, "mount  =@./users#default <app"},
		"koa, one argument": {`import { router as users } from './users/index.js'
router.use('/users', users.routes())
`, "mount /users =@./users/index#router <router"},
		"fastify": {`module.exports = async function (fastify, options) {
  fastify.get('/a', a)
  fastify.route({ method: 'POST', url: '/b', handler: b })
  fastify.register(require('./c'), { prefix: '/c' })
  fastify.register(async (child) => { child.get('/e', e) }, { prefix: '/d' })
  fastify.register(plugin, { prefix: computed })
}
`, `mount $(computed) =plugin <default
mount /c =@./c#default <default
mount /d =child@register5 <default
route GET /a <default :a
route GET /e <child@register5 :e
route POST /b <default :b`},
		"hono": {`import { Hono } from 'hono'
import book from './book'
const app = new Hono().basePath('/v1')
app.get('/x', (c) => c.text('x'))
app.route('/book', book)
`, "mount /v1/book =@./book#default <app\nroute GET /v1/x <app"},
		"chains": {`import { Router } from 'express'
import tags from './tag/tags'
const api = Router().use(tags).get('/x', x)
export default Router().use('/api', api)
`, "mount  =api <* $handed\nmount  =default <* $handed\nmount  =@./tag/tags#default <api\nmount /api =api <default\nroute GET /x <api :x"},
		"computed paths": {"import { API } from './paths'\nimport express from 'express'\nimport users from './users'\nconst app = express()\n" +
			"app.use(`${API}/users`, users)\napp.use(auth, users)\napp.use(API, users)\napp.get(API + '/x', x)\napp.get(paths.all, all)\napp.post(`/a/${b()}`, never)\n", `mount  =@./users#default <app :auth
mount $(API) =@./users#default <app
mount $(API)/users =@./users#default <app
route GET $(API)/x <app :x
route POST /a/$() <app :never`},
		"wrappers": {`const router = require('express').Router()
router.get('/a', auth(list)).post('/b', auth, limit({ max: 1 }), wrap(h.make.bind(h)))
router.route('/c').put(auth(async (req, res) => {})).delete(auth, drop)
router.get('/d', (req, res) => {})
`, `route DELETE /c <router |auth :drop
route GET /a <router :auth(list)
route GET /d <router
route POST /b <router |auth, limit :wrap(h.make)
route PUT /c <router :auth(_)`},
		"named exports": {`const { Router } = require('express'), users = require('./users')
const apiRouter = Router(), admin = Router()
app.use('/v1', users.api)
app.use('/v2', users.all)
app.use(users.locals)
module.exports = { api: apiRouter, users, other: f(), admin }
`, "mount  =admin <* $handed\nmount  =apiRouter <* $handed\nmount  =apiRouter <api\nmount  =@./users#default <users\nmount /v1 =@./users#api <app\nmount /v2 =@./users#all <app"},
		"tables": {`const routes = [{ path: '/auth', route: authRoute }, { path: '/users', route: require('./users') }]
const list = [{ path: '/x', handler: x }]
routes.forEach((r) => { router.use(r.path, r.route) })
for (const l of list) router.get(l.path, l.handler)
const partly = [{ path: '/y' }, { handler: z }, other, { path: r.path, handler: r.handler }]
partly.forEach((r) => router.get(r.path, r.handler))
`, "mount /auth =authRoute <router\nmount /users =@./users#default <router\nroute GET /x <router :x"},
		"functions": {`import express from 'express'
import { makeRouter } from './make'
import { wrap } from './wrap'
function inner(deps) { const router = express.Router(); router.get('/x', x); return router }
const other = (deps) => { const router = express.Router(); router.get('/y', y); return router }
app.use('/a', inner(deps)).use('/b', other(deps)).use('/c', makeRouter({ deps }))
app.use(wrap(z), cors(), sharedRouter())
export default (deps) => { const r = express.Router(); r.get('/z', z); return r }
`, `mount  =default <* $handed
mount  =inner <* $handed
mount  =other <* $handed
mount  =sharedRouter() <app :wrap, cors
mount /a =inner <app
mount /b =other <app
mount /c =@./make#makeRouter <app
route GET /x <inner :x
route GET /y <other :y
route GET /z <default :z`},
		"classes": {`const express = require('express'), ApiRouter = require('./api'), { UserRouter } = require('./users')
class Server {
  constructor() { this.apiRouter = new ApiRouter(this); this.app = express() }
  users = new UserRouter()
  start() {
    const router = express.Router()
    this.app.use(router)
    router.use('/api', this.auth.check(x), this.apiRouter.router)
    router.use('/users', this.users.router).use('/own', new OwnRouter().router)
    app.use('/local', this.router)
  }
}
class OwnRouter {
  router = express.Router()
  init() { this.router.get('/own', own) }
}
module.exports = new OwnRouter()
`, `mount  =router <* $handed
mount  =router <OwnRouter $handed
mount  =router <app
mount  =OwnRouter <default
mount /api =@./api#default <router :this.auth.check
mount /local =router <app
mount /own =OwnRouter <router
mount /users =@./users#UserRouter <router
route GET /own <router :own`},
		"base classes with a router": {`import Controller from './controller'
import { Tags } from './tags'
const base = config.base || ''
export class Users extends Controller {
  constructor(config) {
    super(config)
    this.route({ method: 'get', path: '', handler: this.list, permission: NONE })
    this.post('/:id', this.change, ADMIN)
    this.app.get('/all', auth, this.all)
    this.app.use('/tags', new Tags(config).router)
    this.useWith('', new Own(config).router, limit({ max: 1 }))
    this.notify('/no', this.list)
  }
}
class Own extends BaseController { init() { this.delete('/own', this.drop) } }
app.use(base, new Users(config).router)
app.get(base, index)
export default class extends Controller { init() { this.put('/it', this.it) } }
`, `mount  =Own <* $handed
mount  =Users <* $handed
mount  =default <* $handed
mount  =Own <Users
mount  =Users <app
mount /tags =@./tags#Tags <Users
route DELETE /own <Own :Own.drop
route GET / <Users :Users.list
route GET / <app :index
route GET /all <Users |auth :Users.all
route POST /:id <Users :Users.change
route PUT /it <default :default.it`},
		"one that another file has": {"module.exports = require('./routes')\n", "mount  =@./routes#default <default"},
		"clients":                   {"client.get('/x', h); axios.post('/y', data); app.get('/z', { headers })\n", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := said(languageOf("a.js").Extract(context.Background(), "a.js", []byte(c.src))); got != c.want {
				t.Errorf("got:\n%s\nwant:\n%s", got, c.want)
			}
		})
	}
}

func TestControllers(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ src, want string }{
		"paths": {`const PART = 'files'
@Controller('users')
@UseGuards(AuthGuard('jwt'))
export class Users {
  constructor(@Inject(X) private readonly x: Y, private z: Z) {}
  @Get(':id') @UseGuards(Roles)
  async one(@Param('id') id: string) { return id }
  @Post() create() {}
  @All(['a', 'b']) many() {}
  @Sse(PART) events() {}
  private other() {}
}
@Injectable()
class Service { @Get('x') no() {} }
`, "route /users/a <*versioned |AuthGuard :Users.many\nroute /users/b <*versioned |AuthGuard :Users.many\n" +
			"route GET /users/$(PART) <*versioned |AuthGuard :Users.events\nroute GET /users/:id <*versioned |AuthGuard, Roles :Users.one\nroute POST /users <*versioned |AuthGuard :Users.create"},
		"versions": {`@Controller({ path: '/cats', version: '1' })
export default class {
  @Get() all() {}
  @Version(['2', '3']) @Put('/:id/') put() {}
  @Version(VERSION_NEUTRAL) @Get() any() {}
}
@Controller() class Root { @Get() home() {} }
`, "route GET / <*versioned :Root.home\nroute GET /cats <*served :any\nroute GET /v1/cats <*served :all\nroute PUT /v2/cats/:id <*served :put\nroute PUT /v3/cats/:id <*served :put"},
		"application": {`const app = await NestFactory.create(AppModule)
app.setGlobalPrefix('api', { exclude: ['robots.txt', { path: 'x', method: 1 }, ...more] })
app.enableVersioning({ type: VersioningType.URI, defaultVersion: '1' })
other.enableVersioning({ type: VersioningType.HEADER, defaultVersion: '2' })
`, "mount /api =*served <* |robots.txt, x\nmount /v1 =*versioned <*served"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := said(languageOf("a.ts").Extract(context.Background(), "a.ts", []byte(c.src))); got != c.want {
				t.Errorf("got:\n%s\nwant:\n%s", got, c.want)
			}
		})
	}
}
