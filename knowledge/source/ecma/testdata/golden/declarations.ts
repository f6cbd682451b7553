/**
 * Prices of a shop.
 * @packageDocumentation
 */
import money, { Amount as Sum, type Currency } from './money.js'
import * as tax from "./tax"
import type Logger from "../log"
import fs = require("node:fs")
import './polyfill'
export { round, default as halve } from "./round"
export * from './types'
export * as units from './units'

/** The highest price. */
export const MAX = 1_000_000
export const LIMITS = {
  low: 1,
  high: MAX,
  check: (n: number) => { return n > 1 },
} as const
export const untyped = create<Map<string, number>, Set<Sum>>(tax.rate, function () { return 1 }), second: number = 2
export const { a, b: renamed, ...rest } = tax.table()
export let counter: number = 0
declare const ambient: Currency

export enum Level {
  /** Nobody reads it. */
  Low = 1,
  High = Low << 2,
}
const enum Hidden { A }

/**
 * Adds.
 *
 *     add(1, 2)
 *
 * @deprecated use {@link plus}
 * instead
 */
export function add(a: number, b: number): number;
export function add(a: string, b?: string): string;
export function add(a: any, b: any = MAX): any {
  // a comment
  return /[/]"/.test(a) ? a / b / 2 : `${a}${`nested ${b}`}`
}

export const arrow = async <T extends Sum, U = T>(x: T, { y, z = MAX }: { y: U; z?: number }): Promise<{ x: T }> => {
  return { x }
}
export const curried = <A>() => <B>(a: A, b: B): [A, B] => [a, b]
export const assertIs = function named(this: Window, x: unknown): asserts x is string {}

export type Mapped<T> = { readonly [K in keyof T]?: T[K] extends infer U ? U : never }
export type Shape =
  | { kind: "circle", radius: number }
  | { kind: 'square'; side: number }
export type Options = {
  /** How long. */
  timeout?: number
  retry: (error: Error) => boolean
  on<E extends string>(event: E): void
}
export type Handler = (req: Sum) => { status: number }

export interface Store<K, V = unknown> extends Map<K, V>, Iterable<V> {
  /** Number of entries. */
  readonly size: number
  get(key: K): V | undefined
  [key: string]: any
  new (size: number): Store<K, V>
  (key: K): V
  in?: boolean
  get current(): V
}

@Component({ selector: "x-y", run: () => { start() } })
@sealed
export abstract class Base<T> extends tax.Mixed<T>(Object) implements Store<string, T>, Other {
  static #count = 0
  private secret = 1
  protected state: Map<string, T> = new Map<string, T>()
  readonly kind = "base"
  declare label?: string
  handler = (event: Event): void => { this.secret++ }
  static { Base.#count++ }
  constructor(public readonly name: string, private log: Logger, plain: number) { super() }
  get value(): T { return this.state.get('v')! }
  set value(v: T) {}
  /** Runs it. */
  @bound async *run<U>(input: U, ...rest: T[]): AsyncGenerator<U> {}
  abstract stop(): void
  [Symbol.iterator]() { return this.state.values() }
  'quoted-name'() {}
  #hidden() {}
  get
  plain() { return 1 }
  async
  later = 1
}

export default class Shop extends Base<Sum> {}

export namespace outer.inner {
  export const visible = 1
  const invisible = 2
  export namespace deep { export type T = string }
}
declare module "express" {
  interface Request { user?: string }
}
declare global {
  interface Window { shop: Shop }
}
export import Alias = outer.inner
function local(): Hidden { return fs.readFileSync("x"), import("./lazy"), tax }
export { local as passedOn, money }
type Lazy = import("./deferred").Deferred
