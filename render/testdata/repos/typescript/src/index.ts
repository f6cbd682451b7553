/**
 * A shop in the browser.
 * @packageDocumentation
 */
export { total, type Item } from "./cart";
export * from "./price";

/** The version. */
export const VERSION = "1.0";
