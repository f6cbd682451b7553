package matrix

// pythonShop is the shop in Python, a package a directory.
var pythonShop = language{name: "Python", told: pythonTold, files: map[string]string{
	"pyproject.toml": "[project]\nname = \"shop\"\nversion = \"1.0\"\n",
	"money/__init__.py": `"""Amounts in the smallest unit of a currency."""

import os

__all__ = ["SCALE", "Amount", "parse"]

SCALE = 100


class Amount:
    """Counts small units."""

    def __init__(self, units: int) -> None:
        self.units = units

    def text(self) -> str:
        """Write the amount."""
        return str(self.units)


def parse(text: str) -> Amount:
    """Read a whole number of large units."""
    return Amount(_digits(text) * SCALE)


def _digits(text):
    return int(text)


def currency() -> str:
    """Tell the currency to count in, from SHOP_CURRENCY."""
    return os.environ.get("SHOP_CURRENCY", "")
`,
	"money/receipt.py": `"""Receipts."""


class Line:
    """One line of a receipt."""

    text: str = ""


class Receipt:
    """Says what was paid."""

    first: Line


def print_receipt(count: int) -> Receipt:
    """Make a receipt."""
    return Receipt()
`,
	"money/test_money.py": `from money import parse


def test_parse():
    assert parse("1").units == 100
`,
	"cart/__init__.py": `"""What a customer wants to buy."""

from money import parse


def total(prices: list[str]) -> int:
    """Sum the prices."""
    return sum(parse(p).units for p in prices)
`,
	"report/__init__.py": `"""Writes what was sold."""

import money


def large(small: int) -> int:
    """Turn small units into large ones."""
    return small // money.SCALE
`,
	"till/__init__.py": `"""Takes the money."""

from money.receipt import print_receipt


def pay() -> str:
    """Print a receipt."""
    return print_receipt(1).first.text
`,
	"api/__init__.py":       "\"\"\"Serves the cart.\"\"\"\n\nfrom cart import total\n\n\ndef answer(prices) -> str:\n    \"\"\"Tell the total as text.\"\"\"\n    return str(total(prices))\n",
	"unrelated/__init__.py": "\"\"\"Depends on nothing here.\"\"\"\n\n\ndef answer() -> int:\n    \"\"\"Tell what is fixed.\"\"\"\n    return 42\n",
	"tools/__init__.py":     "def run() -> None:\n    \"\"\"Run them.\"\"\"\n",
	"tools/README.md":       readme,
}, trials: []trial{
	{row: "comment in a body", edits: []edit{replace("money/__init__.py", "    return int(text)\n", "    # whole units\n    return int(text)  # as a number\n")}},
	{row: "comment at the top of a file", edits: []edit{replace("money/__init__.py", `"""Amounts in`, "# Copyright the shop.\n\n\"\"\"Amounts in")}},
	{row: "blank lines and indentation", edits: []edit{replace("money/__init__.py", "def _digits(text):\n    return int(text)\n", "\ndef _digits(text):\n\n        return int(text)\n\n")}},
	{row: "all lines shifted", edits: []edit{replace("money/__init__.py", "import os\n", "\n\n\n\nimport os\n")}},
	{row: "spacing within a line", edits: []edit{replace("money/__init__.py", "Amount(_digits(text) * SCALE)", "Amount( _digits(text)  *  SCALE )")}},
	{row: "mode of a file", edits: []edit{executable("money/__init__.py")}},
	{row: "test, its body", edits: []edit{replace("money/test_money.py", "units == 100\n", "units == 100\n    assert parse(\"12\").units == 1200\n")}},
	{row: "test, the call that a page shows", edits: []edit{replace("money/test_money.py", `parse("1")`, `parse("12")`)}, rerun: "money", pages: "money"},
	{row: "code in a document", edits: []edit{create("docs/use.md", "```python\nfrom cart import total\n\nprint(total([\"1\"]))\n```\n")}, rerun: "cart", pages: "cart index"},
	{row: "test added", edits: []edit{replace("money/test_money.py", "def test_parse", "def test_digits():\n    pass\n\n\ndef test_parse")}, rerun: "money", pages: "money"},
	{row: "body of a function that others call", edits: []edit{replace("money/__init__.py", "int(text)", "int(text.strip())")}, rerun: "money"},
	{row: "body of the caller", edits: []edit{replace("cart/__init__.py", "for p in prices)", "for p in prices if p)")}, rerun: "cart"},
	{row: "function fails with another error", edits: []edit{replace("money/__init__.py", "    return int(text)\n", "    if not text:\n        raise LookupError(text)\n    return int(text)\n")}, rerun: "money"},
	{row: "signature of a function", edits: []edit{replace("money/__init__.py", "def parse(text: str)", "def parse(text: str, base: int = 10)")}, rerun: "money cart", pages: "money"},
	{row: "signature of a private function", edits: []edit{replace("money/__init__.py", "def _digits(text)", "def _digits(text, base=10)")}, rerun: "money"},
	{row: "decorator on a function", edits: []edit{replace("money/__init__.py", "def parse(", "@os.register\ndef parse(")}, rerun: "money cart", pages: "money extensions index guide"},
	{row: "decorator on a method", edits: []edit{replace("money/__init__.py", "    def text(", "    @property\n    def text(")}, rerun: "money cart", pages: "money"},
	{row: "list of exports", edits: []edit{replace("money/__init__.py", `"Amount", "parse"]`, `"Amount", "currency", "parse"]`)}, rerun: "money", pages: "money"},
	{row: "function becomes private", edits: []edit{replace("money/__init__.py", `, "parse"]`, `, "parse", "currency"]`), replace("money/__init__.py", "def currency()", "def _currency()"), replace("money/__init__.py", `"parse", "currency"]`, `"parse"]`)}, rerun: "money"},
	{row: "constant that others use", edits: []edit{replace("money/__init__.py", "SCALE = 100", "SCALE = 1000")}, rerun: "money report", pages: "money"},
	{row: "documentation of a function", edits: []edit{replace("money/__init__.py", "Read a whole", "Read one whole")}, rerun: "money", pages: "money"},
	{row: "documentation of the module", edits: []edit{replace("money/__init__.py", "Amounts in", "All amounts in")}, rerun: "money", pages: "money index guide list"},
	{row: "environment variable", edits: []edit{replace("money/__init__.py", `get("SHOP_CURRENCY"`, `get("SHOP_MONEY"`)}, rerun: "money", pages: "money operations"},
	{row: "method of a type, its body", edits: []edit{replace("money/__init__.py", "str(self.units)", "repr(self.units)")}, rerun: "money"},
	{row: "method added to a type that others only hold", edits: []edit{replace("money/__init__.py", "    def text(", "    def zero(self) -> bool:\n        \"\"\"Tell whether it is nothing.\"\"\"\n        return self.units == 0\n\n    def text(")}, rerun: "money cart", pages: "money"},
	{row: "type reached through another type", edits: []edit{replace("money/receipt.py", "    text: str = \"\"\n", "    text: str = \"\"\n    note: str = \"\"\n")}, rerun: "money till", pages: "money"},
	{row: "private type reached through a public function",
		given: []edit{
			create("money/rate.py", "\"\"\"Rates.\"\"\"\n\n\nclass _Row:\n    start: str\n\n\ndef rates() -> _Row:\n    \"\"\"Tell today's.\"\"\"\n    return _Row()\n"),
			create("bureau/__init__.py", "\"\"\"Changes money.\"\"\"\n\nfrom money.rate import rates\n\n\ndef first() -> str:\n    \"\"\"Tell the first.\"\"\"\n    return rates().start\n"),
		},
		edits: []edit{replace("money/rate.py", "    start: str\n", "    start: str\n    end: str\n")}, rerun: "money bureau"},
	{row: "name passed on by another module, at its origin",
		given: []edit{
			create("bank/__init__.py", "\"\"\"All that others need.\"\"\"\n\nfrom money import parse\n\n__all__ = [\"parse\"]\n"),
			create("desk/__init__.py", "\"\"\"Calls the bank.\"\"\"\n\nfrom bank import parse\n\n\ndef call() -> int:\n    \"\"\"Call it.\"\"\"\n    return parse(\"1\").units\n"),
		},
		edits: []edit{replace("money/__init__.py", "def parse(text: str)", "def parse(text: str, base: int = 10)")}, rerun: "money cart bank desk", pages: "money"},
	{row: "name passed on by the module's own entry file, at its origin",
		given: []edit{
			replace("money/__init__.py", "import os\n", "import os\n\nfrom .receipt import print_receipt\n"),
			create("desk/__init__.py", "\"\"\"Prints.\"\"\"\n\nfrom money import print_receipt\n\n\ndef call() -> str:\n    \"\"\"Call it.\"\"\"\n    return print_receipt(1).first.text\n"),
		},
		edits: []edit{replace("money/receipt.py", "def print_receipt(count: int)", "def print_receipt(count: int, copies: int = 1)")}, rerun: "money till desk", pages: "money"},
	{row: "import added", edits: []edit{replace("cart/__init__.py", "from money import parse\n", "from money import parse\nfrom unrelated import answer\n")}, rerun: "cart", pages: "cart unrelated index guide"},
	{row: "import removed", edits: []edit{replace("report/__init__.py", "import money\n\n\n", ""), replace("report/__init__.py", "money.SCALE", "100")}, rerun: "report", pages: "report money index guide"},
	{row: "export added, others import everything",
		given: []edit{create("wild/__init__.py", "\"\"\"Takes everything.\"\"\"\n\nfrom money import *\n\nTEN = SCALE / 10\n")},
		edits: []edit{replace("money/__init__.py", "\"parse\"]\n", "\"parse\", \"zero\"]\n"), replace("money/__init__.py", "def _digits", "def zero() -> Amount:\n    \"\"\"Make nothing.\"\"\"\n    return Amount(0)\n\n\ndef _digits")}, rerun: "money wild", pages: "money"},
	{row: "export added", edits: []edit{replace("money/__init__.py", "def _digits", "def zero() -> Amount:\n    \"\"\"Make nothing.\"\"\"\n    return Amount(0)\n\n\ndef _digits"), replace("money/__init__.py", "\"parse\"]\n", "\"parse\", \"zero\"]\n")}, rerun: "money", pages: "money"},
	{row: "export removed that others use", edits: []edit{replace("money/__init__.py", "SCALE = 100", "RATIO = 100"), replace("money/__init__.py", "* SCALE", "* RATIO"), replace("money/__init__.py", `["SCALE"`, `["RATIO"`)}, rerun: "money report", pages: "money index"},
	{row: "symbol moved to another file of the module", edits: []edit{replace("money/__init__.py", "def _digits(text):\n    return int(text)\n\n\n", ""), replace("money/__init__.py", "import os\n", "import os\n\nfrom .digits import _digits\n"),
		create("money/digits.py", "def _digits(text):\n    return int(text)\n")}, rerun: "money", pages: "money"},
	{row: "file renamed, same code", given: []edit{create("money/paper.py", "\"\"\"Paper.\"\"\"\n\n\ndef sheet() -> None:\n    \"\"\"Take one.\"\"\"\n")}, edits: []edit{rename("money/paper.py", "money/sheets.py")}, rerun: "money", pages: "money"},
	{row: "file of the caller renamed, same code", given: []edit{create("cart/basket.py", "\"\"\"Baskets.\"\"\"\n\nfrom money import parse\n\n\ndef one() -> int:\n    \"\"\"Price one.\"\"\"\n    return parse(\"1\").units\n")},
		edits: []edit{rename("cart/basket.py", "cart/trolley.py")}, rerun: "cart", pages: "cart"},
	{row: "file added", edits: []edit{create("money/format.py", "\"\"\"Formats.\"\"\"\n\n\ndef euros(units: int) -> str:\n    \"\"\"Write them.\"\"\"\n    return str(units)\n")}, rerun: "money", pages: "money"},
	{row: "file deleted", edits: []edit{remove("money/receipt.py")}, rerun: "money till", pages: "money till index guide"},
	{row: "module added", edits: []edit{create("tax/__init__.py", "\"\"\"Adds tax.\"\"\"\n\nfrom money import SCALE\n\nRATE = SCALE / 5\n")}, rerun: "tax", pages: "tax money index guide list"},
	{row: "module added that an import was waiting for",
		given: []edit{replace("api/__init__.py", "from cart import total\n", "from cart import total\nfrom tax import RATE\n")},
		edits: []edit{create("tax/__init__.py", "\"\"\"Adds tax.\"\"\"\n\nRATE = 20\n")}, rerun: "tax api", pages: "tax api index guide list"},
	{row: "module deleted", edits: []edit{remove("unrelated")}, removed: "unrelated", pages: "list index guide"},
	{row: "module deleted that others use", edits: []edit{remove("cart")}, removed: "cart", rerun: "api", pages: "api money index guide list"},
	{row: "module renamed", edits: []edit{rename("unrelated", "related")}, removed: "unrelated", rerun: "related", pages: "related list index guide"},
	{row: "module renamed, its users not", edits: []edit{rename("cart", "basket")}, removed: "cart", rerun: "basket api", pages: "basket api money index guide list"},
	{row: "file that does not parse, then the mend", edits: []edit{replace("money/__init__.py", "def parse(text: str) -> Amount:", "def parse(text: str) -> Amount")}, rerun: "money", pages: "money operations", kept: "money"},
	{row: "edit that is not committed", uncommitted: true, edits: []edit{replace("money/__init__.py", "SCALE = 100", "SCALE = 1000")}, rerun: "money report", pages: "money"},
	{row: "two edits on two branches, merged", edits: []edit{replace("money/__init__.py", "Read a whole", "Read one whole")},
		other: []edit{replace("unrelated/__init__.py", "Tell what is fixed", "Tell what never changes")}},
	{row: "one branch uses what the other edits, merged", edits: []edit{replace("money/__init__.py", "def parse(text: str)", "def parse(text: str, base: int = 10)")},
		other: []edit{replace("unrelated/__init__.py", "\n\ndef answer", "\nfrom money import parse\n\n\ndef answer")}, rerun: "unrelated"},
}}
