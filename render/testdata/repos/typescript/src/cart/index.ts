import type { Price } from "../price";

export class Item {
  constructor(readonly name: string, readonly price: Price) {}
}

/** Sums items. */
export function total(items: Item[]): number {
  return items.reduce((sum, i) => sum + i.price.units, 0);
}
