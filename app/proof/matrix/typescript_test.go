package matrix

import "slices"

// typescriptShop is the shop in TypeScript, a directory with an index file a module.
var typescriptShop = language{name: "TypeScript", files: map[string]string{
	"package.json": "{\"name\": \"shop\", \"version\": \"1.0.0\"}\n",
	"money/index.ts": `/**
 * Amounts in the smallest unit of a currency.
 * @packageDocumentation
 */

/** How many small units make one large one. */
export const SCALE = 100;

/** Counts small units. */
export class Amount {
  units = 0;

  /** Write the amount. */
  text(): string {
    return String(this.units);
  }
}

/** Read a whole number of large units. */
export function parse(text: string): Amount {
  const a = new Amount();
  a.units = digits(text) * SCALE;
  return a;
}

function digits(text: string): number {
  return Number.parseInt(text, 10);
}

/** The currency to count in, from SHOP_CURRENCY. */
export function currency(): string {
  return process.env.SHOP_CURRENCY ?? "";
}
`,
	"money/receipt.ts": `/** One line of a receipt. */
export interface Line {
  text: string;
}

/** What was paid. */
export interface Receipt {
  first: Line;
}

/** Make a receipt. */
export function print(count: number): Receipt {
  return { first: { text: String(count) } };
}
`,
	"money/money.test.ts": `import { parse } from "./index";

test("parse", () => {
  expect(parse("1").units).toBe(100);
});
`,
	"cart/index.ts":      "import { parse } from \"../money\";\n\n/** Sum the prices. */\nexport function total(prices: string[]): number {\n  return prices.reduce((sum, p) => sum + parse(p).units, 0);\n}\n",
	"report/index.ts":    "import * as money from \"../money\";\n\n/** Turn small units into large ones. */\nexport function large(small: number): number {\n  return small / money.SCALE;\n}\n",
	"till/index.ts":      "import { print } from \"../money/receipt\";\n\n/** Print a receipt. */\nexport function pay(): string {\n  return print(1).first.text;\n}\n",
	"api/index.ts":       "import { total } from \"../cart\";\n\n/** The total as text. */\nexport function answer(prices: string[]): string {\n  return String(total(prices));\n}\n",
	"unrelated/index.ts": "/** Fixed. */\nexport function answer(): number {\n  return 42;\n}\n",
	"tools/index.ts":     "/** Run them. */\nexport function run(): void {}\n",
	"tools/README.md":    readme,
}, trials: slices.Concat([]trial{
	{row: "comment in a body", edits: []edit{replace("money/index.ts", "  const a = ", "  // whole units\n  const a = /* empty */ ")}},
	{row: "comment at the top of a file", edits: []edit{replace("money/index.ts", "/**\n * Amounts", "// Copyright the shop.\n\n/**\n * Amounts")}},
	{row: "blank lines and indentation", edits: []edit{replace("money/index.ts", "  return Number.parseInt(text, 10);\n", "\n\n      return Number.parseInt(text, 10);\n\n")}},
	{row: "all lines shifted", edits: []edit{replace("money/index.ts", "/** How many", "\n\n\n\n/** How many")}},
	{row: "spacing within a line", edits: []edit{replace("money/index.ts", "digits(text) * SCALE", "digits( text )  *  SCALE")}},
	{row: "mode of a file", edits: []edit{executable("money/index.ts")}},
	{row: "test, its body", edits: []edit{replace("money/money.test.ts", "toBe(100);\n", "toBe(100);\n  expect(parse(\"12\").units).toBe(1200);\n")}},
	{row: "test, the call that a page shows", edits: []edit{replace("money/money.test.ts", `parse("1")`, `parse("12")`)}, rerun: "money", pages: "money"},
	{row: "test added", edits: []edit{replace("money/money.test.ts", `test("parse"`, "test(\"digits\", () => {});\n\ntest(\"parse\"")}, rerun: "money", pages: "money"},
	{row: "body of a function that others call", edits: []edit{replace("money/index.ts", "parseInt(text, 10)", "parseInt(text.trim(), 10)")}, rerun: "money"},
	{row: "body of the caller", edits: []edit{replace("cart/index.ts", "sum + parse(p).units, 0", "sum + parse(p).units, 1")}, rerun: "cart"},
	{row: "function fails with another error", edits: []edit{replace("money/index.ts", "  return Number.parseInt", "  if (text === \"\") throw new RangeError(text);\n  return Number.parseInt")}, rerun: "money"},
	{row: "signature of a function", edits: []edit{replace("money/index.ts", "parse(text: string)", "parse(text: string, base = 10)")}, rerun: "money cart", pages: "money"},
	{row: "signature of a private function", edits: []edit{replace("money/index.ts", "digits(text: string)", "digits(text: string, base = 10)")}, rerun: "money"},
	{row: "decorator on a function", given: []edit{create("money/log.ts", "/** Logs. */\nexport function log(target: unknown): void {}\n")},
		edits: []edit{replace("money/index.ts", "export class Amount", "@log\nexport class Amount")}, rerun: "money cart", pages: "money"},
	{row: "decorator on a method", edits: []edit{replace("money/index.ts", "  text(): string", "  @log\n  text(): string")}, rerun: "money cart", pages: "money"},
	{row: "list of exports", given: []edit{replace("money/index.ts", "export function currency", "function currency")},
		edits: []edit{replace("money/index.ts", "?? \"\";\n}\n", "?? \"\";\n}\n\nexport { currency };\n")}, rerun: "money", pages: "money"},
	{row: "function becomes private", edits: []edit{replace("money/index.ts", "export function currency", "function currency")}, rerun: "money", pages: "money"},
	{row: "constant that others use", edits: []edit{replace("money/index.ts", "SCALE = 100", "SCALE = 1000")}, rerun: "money report", pages: "money"},
	{row: "constants numbered in order, one put in front",
		given: []edit{
			create("money/unit.ts", "/** A currency. */\nexport enum Unit {\n  Euro,\n  Pound,\n}\n"),
			create("stock/index.ts", "import { Unit } from \"../money/unit\";\n\n/** Where the shop is. */\nexport const home = Unit.Pound;\n"),
		},
		edits: []edit{replace("money/unit.ts", "  Euro,\n", "  Dollar,\n  Euro,\n")}, rerun: "money stock", pages: "money"},
	{row: "documentation of a function", edits: []edit{replace("money/index.ts", "Read a whole", "Read one whole")}, rerun: "money", pages: "money"},
	{row: "documentation of the module", edits: []edit{replace("money/index.ts", "* Amounts in", "* All amounts in")}, rerun: "money", pages: "money index guide list"},
	{row: "environment variable", edits: []edit{replace("money/index.ts", "env.SHOP_CURRENCY", "env.SHOP_MONEY")}, rerun: "money", pages: "money operations"},
	{row: "method of a type, its body", edits: []edit{replace("money/index.ts", "String(this.units)", "String(this.units + 0)")}, rerun: "money"},
	{row: "method added to a type that others only hold", edits: []edit{replace("money/index.ts", "  /** Write the", "  /** Whether it is nothing. */\n  zero(): boolean {\n    return this.units === 0;\n  }\n\n  /** Write the")}, rerun: "money cart", pages: "money"},
	{row: "type reached through another type", edits: []edit{replace("money/receipt.ts", "  text: string;\n", "  text: string;\n  note?: string;\n")}, rerun: "money till", pages: "money"},
	{row: "private type reached through a public function",
		given: []edit{
			create("money/rate.ts", "interface Row {\n  from: string;\n}\n\n/** Today's rates. */\nexport function rates(): Row {\n  return { from: \"\" };\n}\n"),
			create("bureau/index.ts", "import { rates } from \"../money/rate\";\n\n/** The first rate. */\nexport const first = rates().from;\n"),
		},
		edits: []edit{replace("money/rate.ts", "  from: string;\n", "  from: string;\n  to?: string;\n")}, rerun: "money bureau", pages: "money"},
	{row: "name passed on by another module, at its origin",
		given: []edit{
			create("bank/index.ts", "export * from \"../money\";\n"),
			create("desk/index.ts", "import { parse } from \"../bank\";\n\n/** Call the bank. */\nexport const call = (): number => parse(\"1\").units;\n"),
		},
		edits: []edit{replace("money/index.ts", "parse(text: string)", "parse(text: string, base = 10)")}, rerun: "money cart bank desk", pages: "money"},
	{row: "name passed on by the module's own entry file, at its origin",
		given: []edit{
			replace("money/index.ts", "/** How many", "export { print } from \"./receipt\";\n\n/** How many"),
			create("desk/index.ts", "import { print } from \"../money\";\n\n/** Call it. */\nexport const call = (): string => print(1).first.text;\n"),
		},
		edits: []edit{replace("money/receipt.ts", "print(count: number)", "print(count: number, copies = 1)")}, rerun: "money till desk", pages: "money"},
	{row: "import added", edits: []edit{replace("cart/index.ts", "import { parse } from \"../money\";\n", "import { parse } from \"../money\";\nimport { answer } from \"../unrelated\";\n")}, rerun: "cart", pages: "cart unrelated index guide"},
	{row: "import removed", edits: []edit{replace("report/index.ts", "import * as money from \"../money\";\n\n", ""), replace("report/index.ts", "money.SCALE", "100")}, rerun: "report", pages: "report money index guide"},
	{row: "export added, others import everything",
		given: []edit{create("wild/index.ts", "import * as money from \"../money\";\n\n/** Everything. */\nexport const everything = Object.keys(money);\n")},
		edits: []edit{replace("money/index.ts", "function digits", "/** Nothing. */\nexport const zero = 0;\n\nfunction digits")}, rerun: "money wild", pages: "money"},
	{row: "export added", edits: []edit{replace("money/index.ts", "function digits", "/** Nothing. */\nexport const zero = 0;\n\nfunction digits")}, rerun: "money", pages: "money"},
	{row: "export removed that others use", edits: []edit{replace("money/index.ts", "const SCALE = 100", "const RATIO = 100"), replace("money/index.ts", "* SCALE", "* RATIO")}, rerun: "money report", pages: "money index"},
	{row: "symbol moved to another file of the module", edits: []edit{replace("money/index.ts", "function digits(text: string): number {\n  return Number.parseInt(text, 10);\n}\n\n", ""), replace("money/index.ts", "/** How many", "import { digits } from \"./digits\";\n\n/** How many"),
		create("money/digits.ts", "export function digits(text: string): number {\n  return Number.parseInt(text, 10);\n}\n")}, rerun: "money", pages: "money"},
	{row: "file renamed, same code", given: []edit{create("money/paper.ts", "/** A sheet. */\nexport const sheet = 1;\n")}, edits: []edit{rename("money/paper.ts", "money/sheets.ts")}, rerun: "money", pages: "money"},
	{row: "file of the caller renamed, same code", given: []edit{create("cart/basket.ts", "import { parse } from \"../money\";\n\n/** The price of one. */\nexport const one = parse(\"1\").units;\n")},
		edits: []edit{rename("cart/basket.ts", "cart/trolley.ts")}, rerun: "cart", pages: "cart"},
	{row: "file added", edits: []edit{create("money/format.ts", "/** Write units. */\nexport function euros(units: number): string {\n  return String(units);\n}\n")}, rerun: "money", pages: "money"},
	{row: "file deleted", edits: []edit{remove("money/receipt.ts")}, rerun: "money till", pages: "money till index guide"},
	{row: "module added", edits: []edit{create("tax/index.ts", "import { SCALE } from \"../money\";\n\n/** The rate. */\nexport const rate = SCALE / 5;\n")}, rerun: "tax", pages: "tax money index guide list"},
	{row: "module added that an import was waiting for",
		given: []edit{replace("api/index.ts", "import { total } from \"../cart\";\n", "import { total } from \"../cart\";\nimport { rate } from \"../tax\";\n")},
		edits: []edit{create("tax/index.ts", "/** The rate. */\nexport const rate = 20;\n")}, rerun: "tax api", pages: "tax api index guide list"},
	{row: "module deleted", edits: []edit{remove("unrelated")}, removed: "unrelated", pages: "list index guide"},
	{row: "module deleted that others use", edits: []edit{remove("cart")}, removed: "cart", rerun: "api", pages: "api money index guide list"},
	{row: "module renamed", edits: []edit{rename("unrelated", "related")}, removed: "unrelated", rerun: "related", pages: "related list index guide"},
	{row: "module renamed, its users not", edits: []edit{rename("cart", "basket")}, removed: "cart", rerun: "basket api", pages: "basket api money index guide list"},
	{row: "path of the project",
		given: []edit{
			create("tsconfig.json", "{\"compilerOptions\": {\"baseUrl\": \".\", \"paths\": {\"@shop/*\": [\"./*\"]}}}\n"),
			replace("api/index.ts", "\"../cart\"", "\"@shop/cart\""),
		},
		edits: []edit{replace("tsconfig.json", "@shop/", "@store/")}, rerun: "api", pages: "api cart index guide"},
}, packageTrials, []trial{
	{row: "file that does not parse, then the mend", edits: []edit{replace("money/index.ts", "const a = new Amount();", "const a = new Amount(;")}, rerun: "money", pages: "money operations", kept: "money"},
	{row: "edit that is not committed", uncommitted: true, edits: []edit{replace("money/index.ts", "SCALE = 100", "SCALE = 1000")}, rerun: "money report", pages: "money"},
	{row: "two edits on two branches, merged", edits: []edit{replace("money/index.ts", "Read a whole", "Read one whole")},
		other: []edit{replace("unrelated/index.ts", "/** Fixed. */", "/** Never changes. */")}},
	{row: "one branch uses what the other edits, merged", edits: []edit{replace("money/index.ts", "parse(text: string)", "parse(text: string, base = 10)")},
		other: []edit{replace("unrelated/index.ts", "/** Fixed", "import { parse } from \"../money\";\n\n/** Fixed")}, rerun: "unrelated"},
})}
