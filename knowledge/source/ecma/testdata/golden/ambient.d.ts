/// <reference types="node" />
/** A point. */
declare function point(x: number): Point
declare var origin: Point
interface Point { x: number }
declare namespace shapes { function area(p: Point): number; let unit: string }
