import def, { a as b, type T as U } from './a'
import * as ns from './ns'

namespace Outer.Inner {
  export const limit = 1
  export function check(n: number): boolean { return n < limit && helper(n) }
}
namespace Outer.Inner {
  export function twice(n: number) { return check(n) || limit < n }
}

function helper(n: number): boolean { return n > hoisted }
var hoisted = 1

class Base<X> {
  protected items: X[] = []
  size() { return this.items.length }
}
export class Stack<X extends U> extends Base<X> implements ns.Sized {
  #top?: X
  static made = 0
  constructor(private readonly name: string, first: X = def()) {
    super()
    this.#top = first
    Stack.made++
  }
  push(...more: X[]) {
    for (const item of more) this.items.push(item)
    outer: for (let i = 0; i < more.length; i++) {
      if (i > helper.length) break outer
      continue outer
    }
    return () => this.size() + super.size()
  }
  peek = (): X | undefined => this.#top
}

enum Level { Low = 1, High = Low << 1, Both = Level.High | b }

type Pick2<T, K extends keyof T> = { readonly [P in K as `get${string & P}`]-?: T[P] extends (...args: infer A) => infer R ? [args: A, result: R] : never }
type Checker = <T>(x: unknown, y: T) => x is Stack<any>
type Deep = typeof ns.value extends infer V ? V : Level

function patterns({ x, y: { z = x } = { z: 1 }, ...rest }: { x: number; y?: { z: number }; w?: Level }, [p, , q = p]: number[]) {
  const limit = z + q
  try { if (limit) { var late = rest } } catch ({ message }) { console.log(message) } finally { late }
  switch (limit) { case (1): let inner = late; return inner; default: return ns.value }
}

const choose = (flag: boolean) => flag ? (helper) : (n: number): boolean => n > 0
const generic = <V,>(v: V) => choose<V>(v as any)!(1) as unknown as Stack<V & U>
const stack = new Stack<any>('s')
function use(stack: Stack<any>, list: Stack<any>[], other?: Base<number> | null) {
  const fresh = new Stack<any>('f')
  fresh.push(1)
  list.map(s => s.size())
  return stack.push(`${stack.size()} ${`${other?.size()}`}`)
}
export { use as used, stack }
export default choose
