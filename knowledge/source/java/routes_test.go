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
GET /owners/$(OwnerController.ONE)/pets OwnerController.pets
PATCH /owners/both OwnerController.both
POST /owners/$(Paths.OTHER) OwnerController.make
POST /owners/new OwnerController.make
PUT /owners/both OwnerController.both`},
		"spring, a constant before all": {`@RequestMapping(API) class A { static final String API = "/api"; @GetMapping("/x") void x() {} }`,
			"GET $(A.API)/x A.x"},
		"jax-rs": {`@Path("carts") class Carts { @GET @Path("{id}") String one() {} @POST String add() {} } class No { @GET void no() {} }`,
			"GET /carts/{id} Carts.one\nPOST /carts Carts.add"},
		"micronaut":     {`@Controller("/a") class A { @Get("/{id}") String one() {} @Put(uri = "/x") void x() {} }`, "GET /a/{id} A.one\nPUT /a/x A.x"},
		"servlet":       {`@WebServlet(urlPatterns = {"/s", "/t"}) class S {}`, "/s \n/t "},
		"clients":       {`@FeignClient("x") interface C { @GetMapping("/x") String x(); }`, ""},
		"nested braces": {`class A { @GetMapping(value = {"/a", "/b"}, produces = {"x"}) void a() {} }`, "GET /a A.a\nGET /b A.a"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var got []string
			for _, f := range extract(c.src).Facts {
				if f.Kind == source.Route {
					got = append(got, f.Name+" "+f.Value)
				}
			}
			slices.Sort(got)
			if got := strings.Join(got, "\n"); got != c.want {
				t.Errorf("got:\n%s\nwant:\n%s", got, c.want)
			}
		})
	}
}
