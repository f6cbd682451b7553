package rust

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/causaldocs/causal/knowledge/source"
)

// said are the facts of a file, one a line.
func said(src string) string {
	f := Language{}.Extract(context.Background(), "src/a.rs", []byte(src))
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
}`, `mount  =app.app <app
mount  =other <app.app
mount $(prefix) =hidden <app.app
mount /admin =admin <app.app
mount /admin =app.admin <app.app
mount /api/deep =deep <app.app
mount /items =@items#router <app.app
route GET /health <app.app
route GET /users <app.admin :list
route POST /users <app.admin :users::create
route PUT /api/x <app.app :x`},
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
mount /v1 =config.hello <config
mount /v1 =hello <config
route GET /hello <hello :hello
route GET /plain <config :plain
route GET /r <config :r
route POST /v1/b <config :b`},
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
