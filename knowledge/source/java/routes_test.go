package java_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/causaldocs/causal/knowledge/source"
)

func TestRoutes(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ src, want string }{
		"websockets, and constants of the file": {`@ServerEndpoint("/ws")
public class Socket {}
@Path("/rest/fever")
class Fever {
    private static final String BASE = "/user";
    private static final String PATH =
        BASE + "/{id}";
    @GET @Path(PATH) public String get() { return ""; }
}`, "/ws \nGET /rest/fever/user/{id} Fever.get < *served"},
		"spring": {`package com.x;
@RequestMapping("/owners")
class OwnerController {
	static final String ONE = "/{id}";
	@GetMapping(ONE + "/pets") String pets() {}
	@PostMapping({"/new", Paths.OTHER}) String make() {}
	@RequestMapping(path = "/both", method = {RequestMethod.PUT, RequestMethod.PATCH}) String both() {}
	@DeleteMapping String drop() {}
	@GetMapping(of("/x")) String computed() {}
}`, `DELETE /owners OwnerController.drop
GET /owners/$() OwnerController.computed
GET /owners/{id}/pets OwnerController.pets
PATCH /owners/both OwnerController.both
POST /owners/$(Paths.OTHER) OwnerController.make
POST /owners/new OwnerController.make
PUT /owners/both OwnerController.both`},
		"spring, a constant before all": {`@RequestMapping(API) class A { static final String API = "/api"; @GetMapping("/x") void x() {} }`,
			"GET /api/x A.x"},
		"an escape":       {`@Path("/a") class A { @GET @Path("{id: [a-z\\-]+}/pdf") void x() {} }`, "GET /a/{id: [a-z\\-]+}/pdf A.x < *served"},
		"the path of all": {`@ApplicationPath("api") class App extends Application {} @Path("/a") class A { @GET void x() {} }`, "GET /a A.x < *served\nmount /api *served"},
		"jax-rs": {`@Path("carts") class Carts { @GET @Path("{id}") String one() {} @POST String add() {} } class No { @GET void no() {} }`,
			"GET /carts/{id} Carts.one < *served\nPOST /carts Carts.add < *served"},
		"micronaut":     {`@Controller("/a") class A { @Get("/{id}") String one() {} @Put(uri = "/x") void x() {} }`, "GET /a/{id} A.one\nPUT /a/x A.x"},
		"servlet":       {`@WebServlet(urlPatterns = {"/s", "/t"}) class S {}`, "/s \n/t "},
		"clients":       {`@FeignClient("x") interface C { @GetMapping("/x") String x(); }`, ""},
		"nested braces": {`class A { @GetMapping(value = {"/a", "/b"}, produces = {"x"}) void a() {} }`, "GET /a A.a\nGET /b A.a"},
		"functional": {`class Routes {
	private final OrderHandler orders;
	@Bean RouterFunction<ServerResponse> all() {
		return route(GET("/a").and(accept(JSON)), this::list).andRoute(POST("/a"), request -> ok())
			.andNest(path("/x"), route().GET("y", orders::one, b -> b.tag("t")).build());
	}
	@Bean RouterFunction<ServerResponse> more() {
		return route().path("/orders", b -> b.GET(this::list).nest(accept(JSON), n -> n.PUT("/{id}", orders::put)).DELETE("/{id}", orders::drop))
			.nest(RequestPredicates.path("/users"), scoped()).build();
	}
	RouterFunction<ServerResponse> scoped() { return route().GET("/me", this::me).build(); }
}`, `DELETE /orders/{id} OrderHandler.drop
GET /a Routes.list
GET /me Routes.me < Routes.scoped
GET /orders Routes.list
GET /x/y OrderHandler.one
POST /a _
PUT /orders/{id} OrderHandler.put
mount  Routes.scoped
mount /users Routes.scoped`},
		"an interface of a controller": {`import org.quartz.Job;
interface OwnersApi { @GetMapping("/owners/{id}") Owner one(); @RequestMapping(method = RequestMethod.POST, value = "/owners") default void add() {} }
@RestController @RequestMapping({"api", "/v2"}) class OwnerController<T> extends Base<T> implements OwnersApi, com.x.Other<Owner> { void one() {} }
class Plain implements OwnersApi, Named {}
class Report implements Job { public void execute(JobExecutionContext c) {} }`, `GET /owners/{id} OwnersApi.one < OwnersApi
POST /owners OwnersApi.add < OwnersApi
job Report Report.execute
mount /api Other
mount /api OwnersApi
mount /v2 Other
mount /v2 OwnersApi`},
		"jobs": {`class S { @Scheduled(cron = "0 0 1 * * ?", zone = "UTC") void clean() {} @Scheduled(fixedDelay = 5 * 1000) void tick() {}
	@Scheduled(fixedRateString = "${x}") void more() {} @Scheduled(every = "10s") void often() {} }`, `job clean 0 0 1 * * ? S.clean
job more fixedRateString=${x} S.more
job often every=10s S.often
job tick fixedDelay=5 * 1000 S.tick`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var got []string
			for _, f := range extract(c.src).Facts {
				switch f.Kind {
				case source.Route:
					got = append(got, strings.TrimSuffix(f.Name+" "+f.Value+" < "+f.Of, " < "))
				case source.Mount:
					got = append(got, "mount "+f.Name+" "+f.ID)
				case source.Job:
					got = append(got, strings.ReplaceAll("job "+f.Name+" "+f.Usage+" "+f.Value, "  ", " "))
				}
			}
			slices.Sort(got)
			if got := strings.Join(got, "\n"); got != c.want {
				t.Errorf("got:\n%s\nwant:\n%s", got, c.want)
			}
		})
	}
}
