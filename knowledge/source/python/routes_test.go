package python_test

import (
	"context"
	"strings"
	"testing"

	"github.com/causaldocs/causal/knowledge/source/python"
)

func TestRoutesAndMounts(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ src, want string }{
		"tornado": {`from tornado.web import Application, URLSpec, url
from shop import base, cart
class List(base.Handler):
    async def get(self): pass
    def post(self): pass
handlers = [
    (r"^/list$", List),
    url(r"/cart/(.+)", cart.Show, name="cart"),
    URLSpec(r"/api/%s" % ID, cart.Api, dict(x=1)),
    ("/no", "class"), ("text", List), ("/no", value), other("/no", List),
]
Application([(f"{PREFIX}/old", cart.Old)] + handlers)
`, `route $(PREFIX)/old :cart.Old
route /api/$(ID) :cart.Api
route /cart/(.+) :cart.Show
route GET /list :List
route POST /list :List`},
		"pairs that are no routes": {`PATHS = [("/list", List), url("/x", List)]
`, ""},
		"flask": {`from flask import Blueprint
bp = Blueprint("a", __name__, url_prefix="/a")
@bp.route("/x", methods=["GET", "POST"])
@login_required
def show(): pass
app.register_blueprint(bp)
app.register_blueprint(admin.bp, url_prefix="/admin")
app.register_blueprint(other, url_prefix=PREFIX)
app.add_url_rule("/y", view_func=views.y)
`, `mount  =bp <app
mount $(PREFIX) =other <app
mount /a =bp <* $fallback
mount /admin =admin.bp <app
route GET /x <bp :show
route GET /y <app :views.y
route POST /x <bp :show`},
		"functions that make and get routers": {`from flask import Flask
def make():
    app = Flask("x")
    app.register_blueprint(tags.construct(1), url_prefix="/tags")
    rules = construct_rules(2)
    app.register_blueprint(rules)
    feed.add(app, 3)
    add(4)
    return app
def extend(to, x):
    @to.route("/feed")
    def feed(): pass
`, `mount  =construct_rules <make
mount  =feed.add() <make
mount /tags =tags.construct <make
route GET /feed <extend() :feed`},
		"fastapi": {`router = APIRouter(prefix="/items")
@router.get("/{id}", response_model=Item)
async def read(id): pass
@router.post("")
def make(): pass
router.include_router(sub, prefix="/sub")
computed = APIRouter(prefix=settings.PREFIX)
@computed.get("/never")
def never(): pass
`, "mount /items/sub =sub <router\nroute GET $(settings.PREFIX)/never <computed :never\nroute GET /items/{id} <router :read\nroute POST /items <router :make"},
		"fastapi, other forms": {`app = FastAPI()
@app.get(API + "/a")
@app.websocket(f"{settings.API}/w/{{id}}")
def a(): pass
@mock.patch("/never")
@cache.get(KEY)
def b(): pass
@app.get(PATH)
def c(): pass
app.include_router(router=users.router, prefix=f"{base()}/u")
self.app.include_router(items.router, prefix=API + "/i")
app.add_api_route("/r", endpoint=r, methods=["PUT"])
`, `mount $()/u =users.router <app
mount $(API)/i =items.router <*
route $(settings.API)/w/{id} <app :a
route GET $(API)/a <app :a
route GET $(PATH) <app :c
route PUT /r <app :r`},
		"starlette": {`app = Starlette(routes=[Route("/", home), Mount("/api", routes=[Route("/x", endpoint=x, methods=["POST"]), WebSocketRoute("/w", w)]), Route("/last", last)])
`, "route /api/w :w\nroute GET / :home\nroute GET /last :last\nroute POST /api/x :x"},
		"flask, resources": {`api.add_resource(Carts, "/carts")
`, "route /carts <api :Carts"},
		"flask, resources by a method, and paths by a function": {`from flask_restful import Api
from app.base import scoped
def scoped_here(rule):
    if settings.MULTI:
        return "/<org>{}".format(rule)
    return rule
class MyApi(Api):
    def add_scoped(self, resource, *urls, **kwargs):
        return self.add_resource(resource, *[scoped_here(u) for u in urls], **kwargs)
    def add_fixed(self, resource, url):
        return self.add_resource(resource, "/fixed" + url)
api = MyApi()
api.add_scoped(Cart, "/carts/<id>", "/carts", endpoint="cart")
api.add_fixed(Cart, "/never")
@bp.route(scoped("/session"), methods=["POST"])
def session(): pass
def init(app):
    app.register_blueprint(bp)
    api.init_app(app)
def make():
    app = Flask(__name__)
    shop.init_app(app)
`, `holds  =scoped_here ~/
mount  =shop.init_app() <app
mount  =api <init()
mount  =bp <init()
route /carts <api :Cart
route /carts/<id> <api :Cart
route POST $(scoped)/session <bp :session`},
		"aiohttp": {`app.router.add_get("/a", a)
app.add_routes([web.post("/b", handler.b), web.view("/c", C)])
`, "route /c :C\nroute GET /a :a\nroute POST /b :handler.b"},
		"class-based views": {`from flask_restx import Api, Namespace, Resource
api = Blueprint("api", __name__, url_prefix="/api")
v1 = Api(api, prefix="/v1")
tags = Namespace("tags")
v1.add_namespace(tags)
v1.add_namespace(notes, path="/n")
v1.add_namespace(things, "/things")
@tags.route("/<id>")
class Tag(Resource):
    def get(self, id): pass
    def delete(self, id): pass
    def helper(self): pass
class User(MethodView):
    def post(self): pass
app.add_url_rule("/user", view_func=User.as_view("user"))
app.add_url_rule("/other", view_func=Other.as_view("other"), methods=["PUT"])
v1.add_resource(Tag, "/tag")
`, `mount  =v1 <api
mount /api =api <* $fallback
mount /tags =tags <* $fallback
mount /v1 =tags <v1
mount /v1/n =notes <v1
mount /v1/things =things <v1
route DELETE /<id> <tags :Tag
route DELETE /v1/tag <v1 :Tag
route GET /<id> <tags :Tag
route GET /v1/tag <v1 :Tag
route POST /user <app :User
route PUT /other <app :Other`},
		"rest framework, classes": {`from rest_framework import viewsets
class Base(viewsets.ReadOnlyModelViewSet):
    lookup_field = "slug"
class ItemViewSet(viewsets.ModelViewSet):
    lookup_field = "slug"
    @action(detail=True, methods=["patch"])
    def restart(self, request, slug=None): pass
class OtherViewSet(company.BaseViewSet): pass
`, `mount  =company.BaseViewSet <OtherViewSet $inherited
route / <OtherViewSet :OtherViewSet $handed
route /<pk>/ <OtherViewSet :OtherViewSet $handed
route DELETE /<slug>/ <ItemViewSet :ItemViewSet $handed
route GET / <Base :Base $handed
route GET / <ItemViewSet :ItemViewSet $handed
route GET /<slug>/ <Base :Base $handed
route GET /<slug>/ <ItemViewSet :ItemViewSet $handed
route PATCH /<slug>/ <ItemViewSet :ItemViewSet $handed
route PATCH /<slug>/restart/ <ItemViewSet :ItemViewSet.restart $handed
route POST / <ItemViewSet :ItemViewSet $handed
route PUT /<slug>/ <ItemViewSet :ItemViewSet $handed`},
		"rest framework, type arguments and bases of the file": {`from rest_framework.viewsets import ModelViewSet, ReadOnlyModelViewSet, ViewSet
class PartViewSet(ReadOnlyModelViewSet[Part]):
    lookup_field = "slug"
    @action(detail=True)
    def near(self, request): pass
class BigPartViewSet(PartViewSet): pass
class LogViewSet(ViewSet):
    def list(self, request): pass
`, `route GET / <BigPartViewSet :BigPartViewSet $handed
route GET / <LogViewSet :LogViewSet $handed
route GET / <PartViewSet :PartViewSet $handed
route GET /<slug>/ <BigPartViewSet :BigPartViewSet $handed
route GET /<slug>/ <PartViewSet :PartViewSet $handed
route GET /<slug>/near/ <BigPartViewSet :BigPartViewSet.near $handed
route GET /<slug>/near/ <PartViewSet :PartViewSet.near $handed`},
		"routers in lists, and languages": {`urlpatterns = [
    path("api/", include([path("a/", a), path("in/", include([*inner.urls])), *router.urls])), *outer.urls,
] + i18n_patterns(path("", home), path("shop/", include("shop.urls")))
urlpatterns += i18n_patterns(path("b/", b), prefix_default_language=False)
`, `mount / =outer <urlpatterns
mount /<language>/shop/ =@shop/urls#urlpatterns <urlpatterns
mount /api/ =router <urlpatterns
mount /api/in/ =inner <urlpatterns
route /<language>/ <urlpatterns :home
route /api/a/ <urlpatterns :a
route /b/ <urlpatterns :b`},
		"rest framework, an own router": {`from rest_framework import routers
class OwnRouter(routers.SimpleRouter):
    def add_detail_path(self, url_path, name): self.more.append(path(url_path, name))
router = OwnRouter()
router.add_detail_path("profile", "p", views.ProfileView.as_view())
urlpatterns = [path("api/", include(router.urls))]
`, `mount /api/ =router <urlpatterns
route /profile <router :views.ProfileView`},
		"flask-restx": {`from app.extensions import api
bp = Blueprint("api", __name__, url_prefix="/api")
api.init_app(bp)
db.init_app(bp)
users = api.namespace("users", description="x")
@users.route("")
class Users(Resource):
    def get(self): pass
`, `mount  =api <bp
mount  =db.init_app() <bp
mount /api =bp <* $fallback
mount /users =users <api
route GET <users :Users`},
		"flask, blueprints of a function": {`def create_blueprint(kind, url_prefix):
    bp = Blueprint(kind, __name__, url_prefix=url_prefix)
    @bp.route("/scan", methods=["POST"])
    def scan(): pass
    return bp
one = create_blueprint("one", "/one")
`, `mount $(url_prefix) =create_blueprint <* $fallback
mount /one =create_blueprint <one
route POST /scan <create_blueprint :scan`},
		"rest framework": {`from rest_framework import mixins, viewsets
from rest_framework.routers import DefaultRouter, SimpleRouter
class Things(viewsets.GenericViewSet, mixins.ListModelMixin, mixins.UpdateModelMixin):
    def destroy(self, request, pk): pass
    @action(methods=["get", "post"], detail=True, url_path="part-of")
    def part(self, request, pk): pass
    @action(detail=False)
    def last(self, request): pass
class Names(viewsets.ReadOnlyModelViewSet): pass
router = DefaultRouter()
router.register(r"things", Things, basename="thing")
router.register("away", views.AwayViewSet)
names = SimpleRouter()
names.register("", Names)
registry.register("x", Plugin)
urlpatterns = [path("v1/", include(router.urls)), path("ninja/", api.urls)] + names.urls
`, `mount / =names <urlpatterns
mount /away/ =views.AwayViewSet <router
mount /ninja/ =api <urlpatterns
mount /v1/ =router <urlpatterns
register x =Plugin <registry.register
route /away/ <router :views.AwayViewSet $fallback
route /away/<pk>/ <router :views.AwayViewSet $fallback
route DELETE /things/<pk>/ <router :Things
route GET / <names :Names
route GET / <router
route GET /<pk>/ <names :Names
route GET /things/ <router :Things
route GET /things/<pk>/part-of/ <router :Things.part
route GET /things/last/ <router :Things.last
route PATCH /things/<pk>/ <router :Things
route POST /things/<pk>/part-of/ <router :Things.part
route PUT /things/<pk>/ <router :Things`},
		"subclasses and defaults": {`class UserRouter(APIRouter): pass
users = UserAPIRouter(prefix="/users")
@users.get("/me")
def me(): pass
prefix = ""
if root:
    prefix = f"{root}/"
urlpatterns = [path(prefix + "in/", view), path(prefix, include("shop.urls"))]
class Config:
    def __init__(self):
        self.path_prefix = self._load()
        self.other_prefix = os.environ["X"]
    def _load(self):
        value = get_env("PREFIX", default="")
        return value
`, `env PREFIX <get_env
env X $required
holds  =path_prefix ~/
mount / =@shop/urls#urlpatterns <urlpatterns
route /in/ <urlpatterns :view
route GET /users/me <users :me`},
		"django": {`from django.urls import include, path, re_path
extra = [path("one/", views.one)]
urlpatterns = [
    path("", views.index, name="index"),
    re_path(r"^old/(?P<id>[0-9]+)$", views.old),
    path("api/", include("shop.api.urls")),
    path("extra/", include(extra)),
    path("in/", include([path("a/", views.A.as_view()), path("b/", lambda r: r)])),
    path("admin/", admin.site.urls),
    path("last", login_required(views.last)),
]
`, `mount /api/ =@shop/api/urls#urlpatterns <urlpatterns
mount /extra/ =extra <urlpatterns
route / <urlpatterns :views.index
route /admin/ <urlpatterns :admin.site
route /in/a/ <urlpatterns :views.A
route /in/b/ <urlpatterns
route /last <urlpatterns :login_required(views.last)
route /old/(?P<id>[0-9]+) <urlpatterns :views.old
route /one/ <extra :views.one`},
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
