import { readFile } from "node:fs/promises";
import pick from "lodash/pick";
import { z } from "@scope/schema/v2";

/** What a thing costs. */
export interface Price {
  /** In small units. */
  units: number;
  currency?: "EUR" | "USD";
}

export type Prices = Record<string, Price>;

/** @deprecated use {@link load} */
export const loadSync = (name: string): Prices => pick(z.parse(name));

/**
 * Loads prices.
 * @param name - of the file
 */
export async function load<T extends Prices>(name: string): Promise<T> {
  return JSON.parse(await readFile(name, "utf8"));
}
