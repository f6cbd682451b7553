package rust

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/causaldocs/causal/knowledge/source"
)

// said are the facts of a file, one a line.
func said(src string) string { return saidIn("src/a.rs", src) }

func saidIn(file, src string) string {
	f := Language{}.Extract(context.Background(), file, []byte(src))
	var b strings.Builder
	for _, x := range source.SortFacts(f.Facts) {
		fmt.Fprintf(&b, "%s %s", x.Kind, x.Name)
		for _, part := range [][2]string{{"=", x.ID}, {"<", x.Of}, {"|", x.Also}, {":", x.Value}, {"~", x.Default}, {"$", x.Usage}, {"?", x.Help}, {"??", x.Doc}} {
			if part[1] != "" {
				fmt.Fprintf(&b, " %s%s", part[0], part[1])
			}
		}
		b.WriteString("\n")
	}
	return strings.TrimSpace(b.String())
}

func TestRoutesAndMounts(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ src, want string }{
		"axum": {`fn app() -> Router {
	let admin = Router::new().route("/users", get(list).post(users::create));
	let app = Router::new()
		.route("/health", get(|| async { "ok" }))
		.nest("/admin", admin)
		.nest("/api", Router::new().route("/x", put(x)).nest("/deep", deep()))
		.nest("/items", crate::items::router())
		.merge(other())
		.nest(&prefix, hidden());
	app
}`, `mount  =other <app
mount $(prefix) =hidden <app
mount /admin =app.admin <app
mount /api/deep =deep <app
mount /items =@items#router <app
route GET /health <app
route GET /users <app.admin :list
route POST /users <app.admin :users.create
route PUT /api/x <app :x`},
		"a table in an attribute": {`#[routes::routes(
	routes("" => [get(list), post(users::add)], "/{id}" => delete(drop), "/carts" => sub(carts::CartApi), "/own" => sub(Own)),
	tag = "x", map("a" => get(never)),
)]
pub struct Api;
#[shown("/x" => get(never))]
fn f() {}`, `mount /carts =@./a/carts#CartApi <Api
mount /own =Own <Api
route DELETE /{id} <Api :drop
route GET <Api :list
route POST <Api :users.add`},
		"axum, imported functions": {`use crate::views::{admin::{admin_router, api as admin_routes}, pages};
use other::router as foreign_router;
fn app() -> Router {
	let admin_router = admin_router();
	let api_router = admin_routes();
	let foreign = foreign_router();
	Router::new().nest("/admin", admin_router).nest("/api", api_router).nest("/x", foreign).merge(pages::router())
}`, `mount  =@views/pages#router <app
mount /admin =@views/admin#admin_router <app
mount /api =@views/admin#api <app
mount /x =foreign_router <app`},
		"axum, a router of another function": {`fn app(state: State) -> axum::Router {
	let users = users::router();
	let api = axum::Router::new().merge(users).route_layer(auth());
	let path = state.path.as_str();
	let routes = if path.is_empty() { api } else { axum::Router::new().nest(path, api) };
	routes.with_state(state)
}
fn add(router: Router<State>) -> Router<State> { router.route("/added", get_service(add).layer(x)) }
impl Server { fn router(&self) -> Router { add(Router::new().fallback_service(files)) } }
fn other() { Command::new("/x").route("/y"); client.get("/z"); let n = items.append(&mut more); }`, `holds path =path ~/
mount  =app.api <app
mount  =@users#router <app.api
mount  =add <router
mount $(path) =app.api <app
route GET /added <add :add`},
		"utoipa": {`fn api(limits: Limits) -> OpenApiRouter<State> {
	let downloads = Router::new().route("/dl", get(download));
	let download_router = limited(downloads, limits);
	let download_router: OpenApiRouter<State> = download_router.into();
	let new: OpenApiRouter<State> = Router::new().route("/new", put(publish).layer(x)).into();
	OpenApiRouter::new().routes(routes!(users::list, add)).merge(download_router).merge(new).layer(y)
}
#[utoipa::path(post, path = "/{id}", tag = "users", params(("id" = String, Path)))]
async fn add() {}
fn app() -> Router {
	let all = OpenApiRouter::with_openapi(Doc::openapi()).nest("/api", api(l));
	let (router, doc): (Router<State>, _) = all.split_for_parts();
	router.nest("/docs", docs::create())
}`, `mount  =@users#list <api
mount  =add <api
mount  =api.downloads <api
mount  =api.new <api
mount  =limited <api.downloads
mount  =app.all <app
mount /api =api <app.all
mount /docs =@docs#create <app.all
route GET /dl <api.downloads :download
route POST /{id} <add :add $handed
route PUT /new <api.new :publish`},
		"a handler of utoipa alone": {`#[utoipa::path(get, path = "/{id}")]
pub async fn show() {}`, `route GET /{id} <show :show $handed`},
		"axum, branches": {`fn app() -> Router {
	match kind { Kind::A => Router::new().route("/a", get(a)), _ => { return Router::new().route("/b", get(b)); } }
}`, `route GET /a <app :a
route GET /b <app :b`},
		"axum, constants": {`fn app() -> Router {
	Router::new().route(crate::paths::USERS, get(list)).nest(API, items()).route(&path(), get(computed))
}`, `mount $(API) =items <app
route GET $() <app :computed
route GET $(paths.USERS) <app :list`},
		"actix": {`#[get("/hello")]
pub async fn hello() {}
fn config(cfg: &mut web::ServiceConfig) {
	cfg.service(web::scope("/v1").service(hello).route("/b", web::post().to(b)).configure(users::config))
		.service(web::resource("/r").route(web::get().to(r)))
		.route("/plain", web::get().to(plain));
}`, `mount /v1 =@users#config <config
mount /v1 =hello <config
route GET /hello <hello :hello
route GET /plain <config :plain
route GET /r <config :r
route POST /v1/b <config :b`},
		"actix, without a module": {`pub fn config(cfg: &mut ServiceConfig, limit: &Limit) {
	cfg.service(scope("/api/v4").wrap(limit.message())
		.service(scope("/site").route("", get().to(get_site)).route("/icon", delete().to(drop_icon)))
		.service(resource("/search").wrap(limit.search()).route(get().to(search)))
		.service(scope("").service(upload)));
	cfg.route(".well-known/x", web::get().to(known).wrap(cache()));
}
async fn main() {
	HttpServer::new(move || { App::new().configure(|cfg| api::config(cfg, &limit)).configure(feeds::config)
		.configure(|c| { if on { c.service(admin::page); } }) }).run().await?;
}`, `mount  =@admin#page <main
mount  =@api#config <main
mount  =@feeds#config <main
mount /api/v4 =upload <config
route DELETE /api/v4/site/icon <config :drop_icon
route GET /.well-known/x <config :known
route GET /api/v4/search <config :search
route GET /api/v4/site <config :get_site`},
		"rocket, lists of routes": {`pub use crate::{core::routes as core_routes, web::Page};
pub fn routes() -> Vec<Route> {
	if CONFIG.off() { return routes![off]; }
	let mut more = routes![a];
	let mut routes = Vec::new();
	routes.append(&mut accounts::routes());
	routes.append(&mut more);
	routes
}
#[get("/x/<id>?<page>", rank = 2)]
async fn a() {}
#[post("/y", data = "<data>")] fn b() {}
fn main() {
	let basepath = &CONFIG.domain_path();
	let instance = rocket::custom(config).mount([basepath, "/api"].concat(), api::core_routes()).mount(format!("{basepath}/z/{}", 1), routes![b]);
}`, `holds basepath =basepath ~/
mount  =@core#routes <core_routes
mount  =@accounts#routes <routes
mount  =off <routes
mount  =routes.more <routes
mount  =a <routes.more
mount $(basepath)/api =@api#core_routes <main.instance
mount $(basepath)/z/$() =b <main.instance
route GET /x/<id> <a :a
route POST /y <b :b`},
		"jobs": {`async fn schedule(pool: Pool) {
	let mut sched = JobScheduler::new().await?;
	sched.add(Job::new("1/10 * * * * *", |_, _| { clean(); })?).await?;
	sched.add(Job::new_async("0 0 * * * *", move |id, l| Box::pin(async move { reports::send(&pool).await; }))?);
	sched.add(Job::new(CONFIG.purge_schedule().parse().unwrap(), || { runtime.spawn(api::purge(pool.clone())); }));
	sched.add(Job::new_repeated(Duration::from_secs(8), tick)?);
}`, `job clean :clean $1/10 * * * * *
job purge :api.purge $CONFIG.purge_schedule().parse().unwrap()
job send :reports.send $0 0 * * * *
job tick :tick $Duration::from_secs(8)`},
		"no jobs": {`fn main() { let j = Job::new("a", run); }`, ""},
		"rocket": {`#[get("/world")] fn world() {}
fn main() { rocket::build().mount("/hello", routes![world, other::all]); }`, `mount /hello =@other#all <main
mount /hello =world <main
route GET /world <world :world`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := said(c.src); got != c.want {
				t.Errorf("got:\n%s\nwant:\n%s", got, c.want)
			}
		})
	}
}

func TestEntities(t *testing.T) {
	t.Parallel()
	got := said(`#[derive(Clone, DeriveEntityModel)]
#[sea_orm(table_name = "owner")]
pub struct Model {
	#[sea_orm(primary_key)]
	pub id: i64,
	#[sea_orm(unique, column_type = "Text")]
	pub user_fk: Option<i64>,
	pub r#type: String,
	#[sea_orm(has_many)]
	pub posts: HasMany<super::post::Entity>,
}
#[derive(EnumIter, DeriveRelation)]
pub enum Relation {
	#[sea_orm(belongs_to = "super::user::Entity", from = "Column::UserFk", to = "super::user::Column::Id")]
	User,
	#[sea_orm(has_many = "super::post::Entity")]
	Post,
}`)
	want := `data owner :SeaORM ??{"name":"id","type":"i64","key":true,"required":true}
{"name":"user_fk","type":"i64","refers":"user","unique":true}
{"name":"type","type":"String","required":true}`
	if got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
}
