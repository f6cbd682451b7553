package matrix

// metals are two modules of a package that is imported by its name.
func metals(manifest, imported string) []edit {
	return []edit{
		create("metals/package.json", manifest),
		create("metals/gold/index.ts", "/** Of gold. */\nexport const price = 60;\n"),
		create("metals/silver/index.ts", "/** Of silver. */\nexport const price = 1;\n"),
		create("vault/index.ts", "import { price } from \""+imported+"\";\n\n/** What is in it. */\nexport const worth = price * 10;\n"),
	}
}

// packageTrials edit a package.json. Only fields that affect the resolution of imports invalidate the importing modules.
var packageTrials = []trial{
	{row: "package.json: version", edits: []edit{replace("package.json", "1.0.0", "1.0.1")}},
	{row: "package.json: dependency added", edits: []edit{replace("package.json", `"1.0.0"`, `"1.0.0", "dependencies": {"zod": "^4.0.0"}`)}},
	{row: "package.json: main leads to another module",
		given: metals(`{"name": "@shop/metals", "main": "./gold/index.ts"}`, "@shop/metals"),
		edits: []edit{replace("metals/package.json", "gold", "silver")}, rerun: "metals/gold metals/silver vault", pages: "vault metals/gold metals/silver index"},
	{row: "package.json: exports lead to another module",
		given: metals(`{"name": "@shop/metals", "exports": {"./price": "./gold/index.ts"}}`, "@shop/metals/price"),
		edits: []edit{replace("metals/package.json", "gold", "silver")}, rerun: "metals/gold metals/silver vault", pages: "vault metals/gold metals/silver index"},
	{row: "package.json: exports added that say the same as main",
		given: metals(`{"name": "@shop/metals", "main": "./gold/index.ts"}`, "@shop/metals"),
		edits: []edit{replace("metals/package.json", `"main"`, `"exports": {".": "./gold/index.ts"}, "main"`)}},
	{row: "package.json: unused exports",
		given: metals(`{"name": "@shop/metals", "exports": {"./price": "./gold/index.ts"}}`, "@shop/metals/price"),
		edits: []edit{replace("metals/package.json", `{"./price"`, `{"./silver": "./silver/index.ts", "./price"`)}, rerun: "metals/silver", pages: "metals/silver"},
	{row: "package.json: name of a package that is imported",
		given: metals(`{"name": "@shop/metals", "main": "./gold/index.ts"}`, "@shop/metals"),
		edits: []edit{replace("metals/package.json", "@shop/metals", "@shop/ores")}, rerun: "metals/gold vault", pages: "vault metals/gold index"},
	{row: "package.json: what it says of a module without words",
		given: []edit{create("metals/package.json", `{"name": "metals", "description": "Gold and such."}`), create("metals/src/gold.ts", "export const gold = 1;\n")},
		edits: []edit{replace("metals/package.json", "such", "silver")}, rerun: "metals/src", pages: "metals/src list guide"},
	{row: "package.json: what it says of a module with words",
		given: []edit{create("metals/package.json", `{"name": "metals", "description": "Gold and such."}`), create("metals/src/gold.ts", "/** @packageDocumentation Prices. */\n\nexport const gold = 1;\n")},
		edits: []edit{replace("metals/package.json", "such", "silver")}},
}
