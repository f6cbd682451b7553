package ecma_test

import (
	"testing"

	"github.com/causaldocs/causal/knowledge/source/ecma"
	"github.com/causaldocs/causal/knowledge/source/sourcetest"
)

func TestHeaders(t *testing.T) {
	sourcetest.Headers(t, ecma.TypeScript, "shop.ts", `
export async function parse<const T extends Record<string, (a: number) => void>, U = T[]>(this: Shop, { a, b }: { a: string; b?: T } = {}, c?: number, ...rest: U[]): Promise<T | null> {}
export function over(a: string): string;
export function over(a: number, b = 1): number;
export function over(a: any) {}
export const arrow = async (a: string, f = (x, y) => x): number => 1;
export const one = a => a;
export const typed: Handler<T> = (a) => a;
export const LIMIT: number = 3;
export class Shop<T> extends Base<T, U> implements One, p.Two<U> {
  static readonly limit?: Map<string, number> = 3;
  protected name = "shop";
  constructor(private readonly a: string, @Inject(X) b?: number) {}
  static async of<K extends keyof T>(key: K): Promise<void> {}
  get size(): number { return 1; }
  act = (a: string): void => {};
}
export interface Open<T> extends A<T>, B { f?(a: string): void; new (a: string): Open; x: string | null }
export type Pair<T, U = T> = [T, U];
export const enum Size { Small = 1, "very large" = Small << 2, Other }
export async function* lines(): AsyncGenerator<string> {}
`, `
parse: async <T: Record<string, (a: number) => void>, U = T[]> (s:this: Shop, { a, b }: { a: string; b?: T } = {}, c?: number, v:rest: U[]) -> Promise<T | null>
over: (a: string) -> string
over: (a: number, b = 1) -> number
arrow: async (a: string, f = (x, y) => x) -> number
one: (a)
typed: -> Handler<T> = (a) => …
LIMIT: -> number = 3
Shop: <T> +Base<T, U> +One +p.Two<U>
Shop.limit: static readonly -> Map<string, number> = 3
Shop.name: protected = "shop"
Shop.constructor: (a: string, b?: number)
Shop.a: private readonly -> string
Shop.of: static async <K: keyof T> (key: K) -> Promise<void>
Shop.size: get -> number
Shop.act: (a: string) -> void
Open: <T> +A<T> +B = {
  f?(a: string): void;
  new (a: string): Open;
  x: string | null;
}
Open.f: (a: string) -> void
Open.x: -> string | null
Pair: <T, U = T> = [T, U]
Size: {Small = 1, "very large" = Small << 2, Other}
lines: async * -> AsyncGenerator<string>
`)
}
