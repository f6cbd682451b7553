package matrix

// cppShop is the shop in C++. A header and its source are one module, in one namespace. An include imports all declarations of a header,
// so dependants use its whole interface.
var cppShop = language{name: "C++", files: map[string]string{
	"money/money.hpp": `/**
 * @file
 * Amounts in the smallest unit of a currency.
 */
#pragma once

#include <string>

namespace shop {

/** How many small units make one large one. */
constexpr long scale = 100;

/** Counts small units. */
class Amount {
public:
  explicit Amount(long units) : units_(units) {}

  /** Write the amount. */
  std::string text() const;

  /** The small units. */
  long units() const { return units_; }

private:
  long units_;
};

/** Read a whole number of large units. */
Amount parse(const std::string &text);

/** The larger of two. */
template <typename T>
T larger(T a, T b) { return a < b ? b : a; }

/** The currency to count in, from SHOP_CURRENCY. */
std::string currency();

}  // namespace shop
`,
	"money/money.cpp": `#include "money.hpp"

#include <cstdlib>

namespace shop {

namespace {

long digits(const std::string &text) {
  return std::stol(text);
}

}  // namespace

std::string Amount::text() const {
  return std::to_string(units_);
}

Amount parse(const std::string &text) {
  return Amount(digits(text) * scale);
}

std::string currency() {
  const char *name = std::getenv("SHOP_CURRENCY");
  return name ? name : "";
}

}  // namespace shop
`,
	"cart/cart.hpp":           "#pragma once\n\n#include <string>\n#include <vector>\n\nnamespace shop {\n\n/** Sum the prices. */\nlong total(const std::vector<std::string> &prices);\n\n}  // namespace shop\n",
	"cart/cart.cpp":           "#include \"cart.hpp\"\n\n#include \"../money/money.hpp\"\n\nnamespace shop {\n\nlong total(const std::vector<std::string> &prices) {\n  long sum = 0;\n  for (const auto &p : prices) sum += parse(p).units();\n  return sum;\n}\n\n}  // namespace shop\n",
	"report/report.cpp":       "#include \"../money/money.hpp\"\n\nnamespace shop {\n\n/** Turn small units into large ones. */\nlong large(long small) {\n  return small / scale;\n}\n\n}  // namespace shop\n",
	"till/till.cpp":           "#include \"../money/money.hpp\"\n\nnamespace shop {\n\n/** Take the money. */\nlong pay(const Amount &a) {\n  return a.units();\n}\n\n}  // namespace shop\n",
	"api/api.cpp":             "#include \"../cart/cart.hpp\"\n\nnamespace shop {\n\n/** The total. */\nlong answer(const std::vector<std::string> &prices) {\n  return total(prices);\n}\n\n}  // namespace shop\n",
	"unrelated/unrelated.cpp": "/** Fixed. */\nint fixed() {\n  return 42;\n}\n",
	"tools/tools.cpp":         "/** Run them. */\nvoid run() {}\n",
	"tools/README.md":         readme,
}, trials: []trial{
	{row: "comment in a body", edits: []edit{replace("money/money.cpp", "  return std::stol", "  // whole units\n  return std::stol")}},
	{row: "comment at the top of a file", edits: []edit{replace("money/money.cpp", "#include \"money.hpp\"", "// Copyright the shop.\n\n#include \"money.hpp\"")}},
	{row: "blank lines and indentation", edits: []edit{replace("money/money.cpp", "  return std::stol", "\n\n      return std::stol")}},
	{row: "all lines shifted", edits: []edit{replace("money/money.cpp", "#include <cstdlib>\n", "\n\n\n#include <cstdlib>\n")}},
	{row: "spacing within a line", edits: []edit{replace("money/money.cpp", "digits(text) * scale", "digits( text )  *  scale")}},
	{row: "mode of a file", edits: []edit{executable("money/money.cpp")}},
	{row: "body of a function that others call", edits: []edit{replace("money/money.cpp", "std::stol(text)", "std::stol(text, nullptr, 8)")}, rerun: "money"},
	{row: "body of the caller", edits: []edit{replace("cart/cart.cpp", "long sum = 0;", "long sum = 0 + 0;")}, rerun: "cart"},
	{row: "function fails with another error", edits: []edit{replace("money/money.cpp", "  return std::stol", "  if (text.empty()) throw text;\n  return std::stol")}, rerun: "money"},
	{row: "signature of a function", edits: []edit{replace("money/money.hpp", "parse(const std::string &text)", "parse(const std::string &text, int base)"), replace("money/money.cpp", "Amount parse(const std::string &text)", "Amount parse(const std::string &text, int base)")}, rerun: "money cart report till", pages: "money"},
	{row: "signature of a private function", edits: []edit{replace("money/money.cpp", "digits(const std::string &text)", "digits(const std::string &text, int base = 10)")}, rerun: "money"},
	{row: "decorator on a function", edits: []edit{replace("money/money.hpp", "Amount parse(", "[[nodiscard]] Amount parse(")}, rerun: "money cart report till", pages: "money"},
	{row: "constant that others use", edits: []edit{replace("money/money.hpp", "scale = 100", "scale = 1000")}, rerun: "money cart report till", pages: "money"},
	{row: "documentation of a function", edits: []edit{replace("money/money.hpp", "Read a whole", "Read one whole")}, rerun: "money", pages: "money"},
	{row: "documentation of the module", edits: []edit{replace("money/money.hpp", " * Amounts in", " * All amounts in")}, rerun: "money", pages: "money index guide list"},
	{row: "environment variable", edits: []edit{replace("money/money.cpp", "getenv(\"SHOP_CURRENCY\")", "getenv(\"SHOP_MONEY\")")}, rerun: "money", pages: "money operations"},
	{row: "method of a type, its body", edits: []edit{replace("money/money.cpp", "to_string(units_)", "to_string(units_ + 0)")}, rerun: "money"},
	{row: "method added to a type that others only hold", edits: []edit{replace("money/money.hpp", "  /** The small", "  /** Whether it is nothing. */\n  bool zero() const;\n\n  /** The small")}, rerun: "money cart report till", pages: "money"},
	{row: "private member of a type", edits: []edit{replace("money/money.hpp", "  long units_;\n", "  long units_;\n  int exponent_ = 0;\n")}, rerun: "money"},
	{row: "parameter of a template", edits: []edit{replace("money/money.hpp", "template <typename T>", "template <typename T, int N = 0>")}, rerun: "money cart report till", pages: "money"},
	{row: "import added", edits: []edit{replace("unrelated/unrelated.cpp", "/** Fixed", "#include \"../money/money.hpp\"\n\n/** Fixed")}, rerun: "unrelated", pages: "unrelated money index guide"},
	{row: "import removed", edits: []edit{replace("report/report.cpp", "#include \"../money/money.hpp\"\n\n", ""), replace("report/report.cpp", "small / scale", "small / 100")}, rerun: "report", pages: "report money index guide"},
	{row: "export added, others import everything", edits: []edit{replace("money/money.hpp", "/** The larger", "/** Nothing. */\nconstexpr long zero = 0;\n\n/** The larger")}, rerun: "money cart report till", pages: "money"},
	{row: "module added", edits: []edit{create("tax/tax.cpp", "#include \"../money/money.hpp\"\n\n/** The rate. */\nlong rate() {\n  return shop::scale / 5;\n}\n")}, rerun: "tax", pages: "tax money index guide list"},
	{row: "module deleted", edits: []edit{remove("unrelated")}, removed: "unrelated", pages: "list index guide"},
	{row: "module deleted that others use", edits: []edit{remove("cart")}, removed: "cart", rerun: "api", pages: "api money index guide list"},
	{row: "module renamed", edits: []edit{rename("unrelated", "related")}, removed: "unrelated", rerun: "related", pages: "related list index guide"},
	{row: "file that does not parse, then the mend", edits: []edit{replace("money/money.cpp", "  return Amount(digits(text) * scale);\n}", "  return Amount(digits(text) * scale);\n")}, rerun: "money", pages: "money operations", kept: "money"},
	{row: "edit that is not committed", uncommitted: true, edits: []edit{replace("money/money.hpp", "scale = 100", "scale = 1000")}, rerun: "money cart report till", pages: "money"},
	{row: "two edits on two branches, merged", edits: []edit{replace("money/money.hpp", "Read a whole", "Read one whole")},
		other: []edit{replace("unrelated/unrelated.cpp", "/** Fixed. */", "/** Never changes. */")}},
	{row: "one branch uses what the other edits, merged", edits: []edit{replace("money/money.hpp", "parse(const std::string &text)", "parse(const std::string &text, int base)")},
		other: []edit{replace("unrelated/unrelated.cpp", "/** Fixed", "#include \"../money/money.hpp\"\n\n/** Fixed")}, rerun: "unrelated"},
}}
