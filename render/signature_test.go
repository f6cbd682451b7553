package render

import "testing"

func TestLongSignaturesAreWrapped(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, signature, want string }{
		{"short", "def __init__(self, a: int) -> None", "def __init__(self, a: int) -> None"},
		{
			"Python", `def __init__(self, url: str, *, auth: "tuple[str, str] | None" = None, headers: dict[str, str] = {"a": ")"}, n: int = f(1, 2)) -> None`,
			"def __init__(\n    self,\n    url: str,\n    *,\n    auth: \"tuple[str, str] | None\" = None,\n    headers: dict[str, str] = {\"a\": \")\"},\n    n: int = f(1, 2)\n) -> None",
		},
		{
			"TypeScript", "constructor(private readonly lookup: Map<string, Array<number>>, done: (a: string, b: number) => void, other = a < b)",
			"constructor(\n    private readonly lookup: Map<string, Array<number>>,\n    done: (a: string, b: number) => void,\n    other = a < b\n)",
		},
		{
			"overloads", "public Shop()\npublic Shop(Map<String, List<String>> prices, int count, boolean open, String address, String name, long id)",
			"public Shop()\npublic Shop(\n    Map<String, List<String>> prices,\n    int count,\n    boolean open,\n    String address,\n    String name,\n    long id\n)",
		},
		{
			"not closed", "constructor(aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa, b",
			"constructor(aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa, b",
		},
	} {
		if got := wrapped(c.signature); got != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", c.name, got, c.want)
		}
	}
}
