package cfamily_test

import (
	"testing"

	"github.com/causaldocs/causal/knowledge/source/cfamily"
	"github.com/causaldocs/causal/knowledge/source/sourcetest"
)

func TestHeaders(t *testing.T) {
	sourcetest.Headers(t, cfamily.C, "shop.h", `
extern const char *parse(const char *text, size_t, unsigned int n, int values[static 4], void (*done)(int, void *), ...);
CJSON_PUBLIC(char *) printed(void);
int any();
static inline int own(struct shop *s) { return 1; }
typedef struct shop { const char *name; unsigned a, *b; int bits : 3; int (*call)(int); char text[16]; } shop_t;
enum color { RED, GREEN = 2 };
static const int limit = 3;
`, `
parse: (text: const char *, : size_t, n: unsigned int, values: int[static 4], : void (*done)(int, void *), v:: ...) -> const char *
printed: -> CJSON_PUBLIC(char *)
any: (v:) -> int
own: static inline (s: struct shop *) -> int
shop_t:
shop: {name: const char *, a, b, bits, text: char[16]}
color: {RED, GREEN}
limit: static = 3
`)
	sourcetest.Headers(t, cfamily.CPP, "shop.hpp", `
class Shop final : public Base<int, char>, private virtual p::Other {
public:
  explicit Shop(std::map<int, std::string> m = {}, const T &value = T());
  virtual bool has(const std::string& name, int at = -1) const = 0;
  template <typename... Args> void emplace(Args&&... args);
  Shop(const Shop&) = delete;
  static int count();
  std::vector<int> list;
private:
  int hidden;
};
auto made() -> int;
`, `
Shop: final {list: std::vector<int>} +Base<int, char> +p::Other
Shop.Shop: explicit (m: std::map<int, std::string> = { }, value: const T & = T())
Shop.Shop: (: const Shop &) = delete
Shop.has: virtual const (name: const std::string &, at: int = -1) -> bool = 0
Shop.emplace: template (v:args: Args &&...)
Shop.count: static -> int
made: -> auto
`)
}
