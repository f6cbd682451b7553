#pragma once
#include <vector>
namespace ns { inline namespace v1 {
/// A thing.
/// More.
template <typename T, class U = std::vector<int>>
class [[nodiscard]] Thing final : public Base<T>, private X {
public:
  Thing() = default;
  explicit Thing(int a) : a_(a), b_{a} { }
  ~Thing();
  //! Gets it.
  [[nodiscard]] const T& get(int x = 3) const noexcept { return a_; }
  virtual void run() = 0;
  static constexpr int kMax = 5;
  bool operator==(const Thing& o) const { return true; }
  operator bool() const { return true; }
  T operator()(int a, int b);
  template <typename V> V conv(V&& v) &&;
  friend std::ostream& operator<<(std::ostream& os, const Thing& t) { return os; }
  struct Inner { int x; void f(); };
  enum class E : int { A, B };
  using value_type = T;
  int field = 3;
private:
  int a_; int b_;
  void secret();
};
template <typename T, class U>
void Thing<T, U>::run() { }
namespace { int hidden() { return 1; } }
template <class T> concept Small = requires(T t) { t.x; } && sizeof(T) < 4;
template <Small T> requires (sizeof(T) > 1) || Foo<T> auto mk(T t) -> decltype(t.x()) { return t.x(); }
constexpr int N = 4 << 2;
inline auto lam = [](int x) { return x; };
std::string name{"x"};
static_assert(sizeof(int) == 4, "x");
using A = int; namespace fs = std::filesystem;
extern "C" { int cfun(void); }
extern "C" int cfun2(void);
}}
TEST(Foo, Bar) { }
auto s = R"x( " } )x";
long q = 1'000'000;
Ret ns::v1::Thing::cold(int a) try : x(1) { } catch (...) { }
