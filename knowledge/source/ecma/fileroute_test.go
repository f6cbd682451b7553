package ecma

import (
	"context"
	"testing"
)

func TestRoutesOfFiles(t *testing.T) {
	t.Parallel()
	methods := "export async function GET() {}\nexport const POST = handle\nfunction PUT() {}\nexport function help() {}\n"
	for path, c := range map[string]struct{ src, want string }{
		"app/api/carts/[id]/route.ts":                   {methods, "route GET /api/carts/{id} :GET\nroute POST /api/carts/{id} :POST"},
		"web/src/app/(shop)/@side/[[...rest]]/route.js": {"export { GET } from './other'\n", "route GET /{rest...} :GET"},
		"app/auth/route.ts":                             {"export { handler as GET, handler as POST }\nconst handler = make()\n", "route GET /auth :GET\nroute POST /auth :POST"},
		"app/_private/route.ts":                         {methods, ""},
		"app/route.ts":                                  {methods, "route GET / :GET\nroute POST / :POST"},
		"src/routes/.well-known/__a/+server.ts":         {methods, "route GET /.well-known/__a :GET\nroute POST /.well-known/__a :POST"},
		"lib/route.ts":                                  {methods, ""},
		"app/api/carts/page.ts":                         {methods, ""},
		"src/routes/carts/[id=int]/+server.ts":          {methods, "route GET /carts/{id} :GET\nroute POST /carts/{id} :POST"},
		"pages/api/carts/[id].ts":                       {"export default async function handler(req, res) {}\n", "route /api/carts/{id} :handler"},
		"src/pages/api/index.js":                        {"const h = () => {}\nexport default h\n", "route /api :h"},
		"pages/api/wrapped.ts":                          {"async function handler(req, res) {}\nexport default withA(withB(handler), { methods: ['GET', 'POST'] })\n", "route GET /api/wrapped |withA, withB :handler\nroute POST /api/wrapped |withA, withB :handler"},
		"pages/api/options.ts":                          {"export const options = {}\nexport default NextAuth(options)\n", "route /api/options :NextAuth"},
		"pages/api/switch.ts":                           {"export default function h(req, res) { switch (req.method) { case 'PUT': return put(); case 'GET': return get(); default: res.status(405).end() } }\n", "route GET /api/switch :h\nroute PUT /api/switch :h"},
		"pages/api/only.ts":                             {"export default function h(req, res) { if (req.method !== 'POST') return res.status(405).end() }\n", "route POST /api/only :h"},
		"pages/api/others.ts":                           {"export default function h(req, res) { if (req.method === 'POST') return make(); list() }\n", "route /api/others :h"},
		"src/server/api/carts/[id].get.ts":              {"export default defineEventHandler(async (event) => 1)\n", "route GET /api/carts/{id}"},
		"server/api/carts/index.post.ts":                {"async function add(event) {}\nexport default defineCachedEventHandler(add)\n", "route POST /api/carts |defineCachedEventHandler :add"},
		"server/routes/metrics/json.ts":                 {"export default eventHandler(() => 'x')\n", "route /metrics/json"},
		"server/api/routes/all.get.ts":                  {"export default eventHandler(() => 'x')\n", "route GET /api/routes/all"},
		"server/middleware/log.ts":                      {"export default defineEventHandler(() => {})\n", ""},
		"server/utils/handler.ts":                       {"export const defineOwnEventHandler = (h) => defineEventHandler(h)\n", ""},
		"server/api/carts/helper.get.ts":                {"export default list\n", "route GET /api/carts/helper :list"},
		"pages/carts.tsx":                               {"export default function Page() {}\n", ""},
		"pages/api/helper.ts":                           {"export function help() {}\n", ""},
	} {
		t.Run(path, func(t *testing.T) {
			t.Parallel()
			if got := said(TypeScript.Extract(context.Background(), path, []byte(c.src))); got != c.want {
				t.Errorf("got:\n%s\nwant:\n%s", got, c.want)
			}
		})
	}
}
