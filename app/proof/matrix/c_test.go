package matrix

// cShop is the shop in C. A header and its source are one module. An include imports all declarations of a header, so dependants use its
// whole interface.
var cShop = language{name: "C", files: map[string]string{
	"money/money.h":         "/**\n * @file\n * Amounts in the smallest unit of a currency.\n */\n#ifndef MONEY_H\n#define MONEY_H\n\n/** How many small units make one large one. */\n#define SCALE 100\n\n/** Counts small units. */\nstruct amount {\n\tlong units;\n};\n\n/** Read a whole number of large units. */\nstruct amount parse(const char *text);\n\n#endif\n",
	"money/money.c":         "#include \"money.h\"\n#include <stdlib.h>\n\nstatic long digits(const char *text)\n{\n\treturn strtol(text, 0, 10);\n}\n\nstruct amount parse(const char *text)\n{\n\tstruct amount a = { digits(text) * SCALE };\n\treturn a;\n}\n",
	"cart/cart.h":           "/** Sum the prices. */\nlong total(const char **prices);\n",
	"cart/cart.c":           "#include \"cart.h\"\n#include \"../money/money.h\"\n\nlong total(const char **prices)\n{\n\tlong sum = 0;\n\tfor (; *prices; prices++)\n\t\tsum += parse(*prices).units;\n\treturn sum;\n}\n",
	"report/report.c":       "#include \"../money/money.h\"\n\n/** Turn small units into large ones. */\nlong large(long small)\n{\n\treturn small / SCALE;\n}\n",
	"till/till.c":           "#include \"../money/money.h\"\n\n/** Take the money. */\nlong pay(struct amount a)\n{\n\treturn a.units;\n}\n",
	"api/api.c":             "#include \"../cart/cart.h\"\n\n/** The total. */\nlong answer(const char **prices)\n{\n\treturn total(prices);\n}\n",
	"unrelated/unrelated.c": "/** Fixed. */\nint fixed(void)\n{\n\treturn 42;\n}\n",
	"tools/tools.c":         "/** Run them. */\nvoid run(void)\n{\n}\n",
	"tools/README.md":       readme,
}, trials: []trial{
	{row: "comment in a body", edits: []edit{replace("money/money.c", "\treturn strtol", "\t/* whole units */\n\treturn strtol")}},
	{row: "comment at the top of a file", edits: []edit{replace("money/money.c", "#include \"money.h\"", "/* Copyright the shop. */\n\n#include \"money.h\"")}},
	{row: "blank lines and indentation", edits: []edit{replace("money/money.c", "\treturn strtol", "\n\n    return strtol")}},
	{row: "all lines shifted", edits: []edit{replace("money/money.c", "#include <stdlib.h>\n", "\n\n\n#include <stdlib.h>\n")}},
	{row: "spacing within a line", edits: []edit{replace("money/money.c", "digits(text) * SCALE", "digits( text )  *  SCALE")}},
	{row: "mode of a file", edits: []edit{executable("money/money.c")}},
	{row: "body of a function that others call", edits: []edit{replace("money/money.c", "strtol(text, 0, 10)", "strtol(text, 0, 8)")}, rerun: "money"},
	{row: "body of the caller", edits: []edit{replace("cart/cart.c", "long sum = 0;", "long sum = 0 + 0;")}, rerun: "cart"},
	{row: "signature of a function", edits: []edit{replace("money/money.h", "parse(const char *text)", "parse(const char *text, int base)"), replace("money/money.c", "struct amount parse(const char *text)", "struct amount parse(const char *text, int base)")}, rerun: "money cart report till", pages: "money"},
	{row: "signature of a private function", edits: []edit{replace("money/money.c", "static long digits(const char *text)", "static long digits(const char *text, ...)")}, rerun: "money"},
	{row: "constant that others use", edits: []edit{replace("money/money.h", "SCALE 100", "SCALE 1000")}, rerun: "money cart report till"},
	{row: "documentation of a function", edits: []edit{replace("money/money.h", "Read a whole", "Read one whole")}, rerun: "money", pages: "money"},
	{row: "type reached through another type", edits: []edit{replace("money/money.h", "\tlong units;\n", "\tlong units;\n\tint exponent;\n")}, rerun: "money cart report till", pages: "money"},
	{row: "import removed", edits: []edit{replace("report/report.c", "#include \"../money/money.h\"\n\n", ""), replace("report/report.c", "small / SCALE", "small / 100")}, rerun: "report", pages: "report money index guide"},
	{row: "module deleted", edits: []edit{remove("unrelated")}, removed: "unrelated", pages: "list index guide"},
	{row: "edit that is not committed", uncommitted: true, edits: []edit{replace("money/money.h", "SCALE 100", "SCALE 1000")}, rerun: "money cart report till"},
	{row: "two edits on two branches, merged", edits: []edit{replace("money/money.h", "Read a whole", "Read one whole")},
		other: []edit{replace("unrelated/unrelated.c", "/** Fixed. */", "/** Never changes. */")}},
}}
