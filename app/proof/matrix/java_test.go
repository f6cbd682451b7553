package matrix

// javaService are a service with two types that provide it, and the file that names one.
var javaService = []edit{
	func(r *repo) {
		create("src/main/java/shop/plug/Plug.java", "package shop.plug;\n\n/** Fits. */\npublic interface Plug {\n    /** Do it. */\n    void fit();\n}\n")(r)
		create("src/main/java/shop/plug/Round.java", "package shop.plug;\n\n/** Is round. */\npublic class Round implements Plug {\n    public void fit() {}\n}\n")(r)
		create("src/main/java/shop/plug/Flat.java", "package shop.plug;\n\n/** Is flat. */\npublic class Flat implements Plug {\n    public void fit() {}\n}\n")(r)
	},
	create("src/main/resources/META-INF/services/shop.plug.Plug", "shop.plug.Round\n"),
}

// javaShop is the shop in Java, a package a directory.
var javaShop = language{name: "Java", root: "src/main/java/shop", files: map[string]string{
	"pom.xml": "<project><groupId>shop</groupId><artifactId>shop</artifactId></project>\n",
	"src/main/java/shop/money/package-info.java": "/** Amounts in the smallest unit of a currency. */\npackage shop.money;\n",
	"src/main/java/shop/money/Scale.java":        "package shop.money;\n\n/** How many small units make one large one. */\npublic final class Scale {\n    /** The number. */\n    public static final int VALUE = 100;\n}\n",
	"src/main/java/shop/money/Amount.java": `package shop.money;

/** Counts small units. */
public class Amount {
    private final int units;

    Amount(int units) {
        this.units = units;
    }

    /** The number of units. */
    public int units() {
        return units;
    }
}
`,
	"src/main/java/shop/money/Parser.java": `package shop.money;

/** Reads amounts. */
public class Parser {
    /** Read a whole number of large units. */
    public static Amount parse(String text) {
        return new Amount(digits(text) * Scale.VALUE);
    }

    private static int digits(String text) {
        return Integer.parseInt(text);
    }

    /** The currency to count in, from SHOP_CURRENCY. */
    public static String currency() {
        return System.getenv("SHOP_CURRENCY");
    }
}
`,
	"src/main/java/shop/money/Line.java":          "package shop.money;\n\n/** One line of a receipt. */\npublic class Line {\n    /** What was bought. */\n    public String text;\n}\n",
	"src/main/java/shop/money/Receipt.java":       "package shop.money;\n\n/** What was paid. */\npublic class Receipt {\n    /** The first line. */\n    public Line first;\n}\n",
	"src/main/java/shop/cart/Cart.java":           "package shop.cart;\n\nimport shop.money.Parser;\n\n/** What a customer wants to buy. */\npublic class Cart {\n    /** Sum the prices. */\n    public static int total(String[] prices) {\n        int sum = 0;\n        for (String p : prices) {\n            sum += Parser.parse(p).units();\n        }\n        return sum;\n    }\n}\n",
	"src/main/java/shop/report/Report.java":       "package shop.report;\n\nimport shop.money.Scale;\n\n/** Writes what was sold. */\npublic class Report {\n    /** Turn small units into large ones. */\n    public static int large(int small) {\n        return small / Scale.VALUE;\n    }\n}\n",
	"src/main/java/shop/till/Till.java":           "package shop.till;\n\nimport shop.money.Receipt;\n\n/** Takes the money. */\npublic class Till {\n    /** Print a receipt. */\n    public static String pay(Receipt receipt) {\n        return receipt.first.text;\n    }\n}\n",
	"src/main/java/shop/api/Api.java":             "package shop.api;\n\nimport shop.cart.Cart;\n\n/** Serves the cart. */\npublic class Api {\n    /** The total as text. */\n    public static String answer(String[] prices) {\n        return String.valueOf(Cart.total(prices));\n    }\n}\n",
	"src/main/java/shop/unrelated/Unrelated.java": "package shop.unrelated;\n\n/** Depends on nothing here. */\npublic class Unrelated {\n    /** Fixed. */\n    public static int answer() {\n        return 42;\n    }\n}\n",
	"src/main/java/shop/tools/Tools.java":         "package shop.tools;\n\npublic class Tools {\n    /** Run them. */\n    public static void run() {}\n}\n",
	"src/main/java/shop/tools/README.md":          readme,
}, trials: []trial{
	{row: "comment in a body", edits: []edit{replace("src/main/java/shop/money/Parser.java", "        return Integer", "        // whole units\n        return /* as a number */ Integer")}},
	{row: "comment at the top of a file", edits: []edit{replace("src/main/java/shop/money/Parser.java", "package shop.money;", "// Copyright the shop.\n\npackage shop.money;")}},
	{row: "blank lines and indentation", edits: []edit{replace("src/main/java/shop/money/Parser.java", "        return Integer", "\n\n   return Integer")}},
	{row: "all lines shifted", edits: []edit{replace("src/main/java/shop/money/Parser.java", "package shop.money;\n", "package shop.money;\n\n\n\n")}},
	{row: "spacing within a line", edits: []edit{replace("src/main/java/shop/money/Parser.java", "digits(text) * Scale", "digits( text )  *  Scale")}},
	{row: "mode of a file", edits: []edit{executable("src/main/java/shop/money/Parser.java")}},
	{row: "body of a function that others call", edits: []edit{replace("src/main/java/shop/money/Parser.java", "parseInt(text)", "parseInt(text.trim())")}, rerun: "money"},
	{row: "body of the caller", edits: []edit{replace("src/main/java/shop/cart/Cart.java", "int sum = 0;", "int sum = 0 + 0;")}, rerun: "cart"},
	{row: "function fails with another error", edits: []edit{replace("src/main/java/shop/money/Parser.java", "parse(String text) {", "parse(String text) throws java.io.IOException {")}, rerun: "money cart", pages: "money"},
	{row: "signature of a function", edits: []edit{replace("src/main/java/shop/money/Parser.java", "parse(String text)", "parse(String text, int... base)")}, rerun: "money cart", pages: "money"},
	{row: "signature of a private function", edits: []edit{replace("src/main/java/shop/money/Parser.java", "int digits(String text)", "int digits(String text, int... base)")}, rerun: "money"},
	{row: "decorator on a method", edits: []edit{replace("src/main/java/shop/money/Parser.java", "    public static Amount", "    @Deprecated\n    public static Amount")}, rerun: "money cart", pages: "money"},
	{row: "constant that others use", edits: []edit{replace("src/main/java/shop/money/Scale.java", "VALUE = 100", "VALUE = 1000")}, rerun: "money report", pages: "money"},
	{row: "documentation of a function", edits: []edit{replace("src/main/java/shop/money/Parser.java", "Read a whole", "Read one whole")}, rerun: "money", pages: "money"},
	{row: "documentation of the module", edits: []edit{replace("src/main/java/shop/money/package-info.java", "Amounts in", "All amounts in")}, rerun: "money", pages: "money index guide list"},
	{row: "environment variable", edits: []edit{replace("src/main/java/shop/money/Parser.java", "SHOP_CURRENCY\")", "SHOP_MONEY\")")}, rerun: "money", pages: "money operations"},
	{row: "method of a type, its body", edits: []edit{replace("src/main/java/shop/money/Amount.java", "return units;", "return units + 0;")}, rerun: "money"},
	{row: "method added to a type that others only hold", edits: []edit{replace("src/main/java/shop/money/Amount.java", "    /** The number", "    /** Whether it is nothing. */\n    public boolean zero() {\n        return units == 0;\n    }\n\n    /** The number")}, rerun: "money cart", pages: "money"},
	{row: "type reached through another type", edits: []edit{replace("src/main/java/shop/money/Line.java", "    public String text;", "    public String text;\n    /** A note. */\n    public String note;")}, rerun: "money till", pages: "money"},
	{row: "file about a service names another type", given: javaService,
		edits: []edit{replace("src/main/resources/META-INF/services/shop.plug.Plug", "shop.plug.Round", "shop.plug.Flat")}, pages: "extensions"},
	{row: "file about a service added", given: javaService[:1],
		edits: javaService[1:], pages: "extensions"},
	{row: "migration added", given: []edit{create("db/V1__shop.sql", "CREATE TABLE carts (id int);\n")},
		edits: []edit{create("db/V2__total.sql", "ALTER TABLE carts ADD total int;\n")}, pages: "data"},
	{row: "migration edited, nothing that a page shows", given: []edit{create("db/V1__shop.sql", "CREATE TABLE carts (id int);\n")},
		edits: []edit{create("db/V1__shop.sql", "CREATE TABLE carts (id int); -- all of them\nINSERT INTO carts VALUES (1);\n")}},
	{row: "first table declared", edits: []edit{create("db/V1__shop.sql", "CREATE TABLE carts (id int);\n")}, pages: "data index guide"},
	{row: "import added", edits: []edit{replace("src/main/java/shop/cart/Cart.java", "import shop.money.Parser;\n", "import shop.money.Parser;\nimport shop.unrelated.Unrelated;\n")}, rerun: "cart", pages: "cart unrelated index guide"},
	{row: "import removed", edits: []edit{replace("src/main/java/shop/report/Report.java", "import shop.money.Scale;\n\n", ""), replace("src/main/java/shop/report/Report.java", "Scale.VALUE", "100")}, rerun: "report", pages: "report money index guide"},
	{row: "export added, others import everything",
		given: []edit{create("src/main/java/shop/wild/Wild.java", "package shop.wild;\n\nimport shop.money.*;\n\n/** Takes everything. */\npublic class Wild {\n    /** One. */\n    public Amount one;\n}\n")},
		edits: []edit{create("src/main/java/shop/money/Zero.java", "package shop.money;\n\n/** Nothing. */\npublic class Zero {}\n")}, rerun: "money wild", pages: "money"},
	{row: "file added", edits: []edit{create("src/main/java/shop/money/Zero.java", "package shop.money;\n\n/** Nothing. */\npublic class Zero {}\n")}, rerun: "money", pages: "money"},
	{row: "file deleted", edits: []edit{remove("src/main/java/shop/money/Receipt.java")}, rerun: "money till", pages: "money till index guide"},
	{row: "module added that an import was waiting for",
		given: []edit{replace("src/main/java/shop/api/Api.java", "import shop.cart.Cart;\n", "import shop.cart.Cart;\nimport shop.tax.Tax;\n")},
		edits: []edit{create("src/main/java/shop/tax/Tax.java", "package shop.tax;\n\n/** Adds tax. */\npublic class Tax {}\n")}, rerun: "tax api", pages: "tax api index guide list"},
	{row: "module deleted", edits: []edit{remove("src/main/java/shop/unrelated")}, removed: "unrelated", pages: "list index guide"},
	{row: "module deleted that others use", edits: []edit{remove("src/main/java/shop/cart")}, removed: "cart", rerun: "api", pages: "api money index guide list"},
	{row: "module renamed", edits: []edit{rename("src/main/java/shop/unrelated", "src/main/java/shop/related")}, removed: "unrelated", rerun: "related", pages: "related list index guide"},
	{row: "file that does not parse, then the mend", edits: []edit{replace("src/main/java/shop/money/Parser.java", "digits(text) * Scale.VALUE);", "digits(text * Scale.VALUE);")}, rerun: "money", pages: "money operations", kept: "money"},
	{row: "edit that is not committed", uncommitted: true, edits: []edit{replace("src/main/java/shop/money/Scale.java", "VALUE = 100", "VALUE = 1000")}, rerun: "money report", pages: "money"},
	{row: "two edits on two branches, merged", edits: []edit{replace("src/main/java/shop/money/Parser.java", "Read a whole", "Read one whole")},
		other: []edit{replace("src/main/java/shop/unrelated/Unrelated.java", "/** Fixed. */", "/** Never changes. */")}},
}}
