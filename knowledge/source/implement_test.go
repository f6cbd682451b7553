package source_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/knowledge/source/languages"
)

// declared are the symbols of a file.
func declared(t *testing.T, language, text string) []source.Symbol {
	t.Helper()
	for _, l := range languages.All() {
		if l.Name() == language {
			return l.Extract(t.Context(), "m/a"+l.Extensions()[0], []byte(text)).Symbols
		}
	}
	t.Fatalf("no reader for %s", language)
	return nil
}

// TestImplementersBySignature checks the interfaces that a type names in its signature, language by language.
func TestImplementersBySignature(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		language, text string
		want           []string
	}{
		{"java", `
public interface Base<T> {}
@Named({"a", ")"})
public final class A<T extends Other> extends Thing<Base<T>> implements Runnable, Base<Map<String, T>> permits B {}
public record B(int implementsBase, Base other) implements Base<X> {}
class C extends A<X> {}
class D<T extends Base> permits Base {}
class Thing {}
`, []string{"A", "B", "C"}},
		{"typescript", `
interface Base<T> { get(): T }
@sealed
abstract class A<T> extends mixed(Object) implements Other, Base<{ a: T }> {}
interface B extends Other, Base<string> { implements: Base }
class C { extends: Base }
type D<K extends string> = K extends 'a' ? Base : never
type E<K> = K extends Base ? K : never
`, []string{"A", "B"}},
		{"python", `
class Base: ...
@dataclass
class A(Other, Base[int], metaclass=Meta): ...
class B[T](Base): ...
class C(Other, key=Base): ...
`, []string{"A", "B"}},
		{"rust", `
pub trait Base<T> {}
pub struct A<T: Base>;
impl Base<u8> for A {}
pub trait B: Send + Base<u8> where Self: Sized {}
struct C;
`, []string{"A", "B"}},
		{"c++", `
class Base {};
template <typename T> class [[nodiscard]] A final : public ns::Other<T>, private virtual Base {
public:
  Base x;
};
struct B { Base x : 1; };
`, []string{"A"}},
	} {
		m := source.Module{Path: "m", Units: []source.Unit{in(c.language, unit("m/a.x", false, declared(t, c.language, c.text)...))}}
		shapes := source.NewShapes(m, m.Declarations(), nil, source.Linker{Table: func(string) (source.Table, bool) { return source.Table{}, false }})
		kin := source.Kinship{Shapes: func(name string) (source.Shapes, bool) { return shapes, name == "m" }}
		var got []string
		for _, i := range kin.Implementers(source.Use{Module: "m", Name: "Base"}, []string{"m"}) {
			got = append(got, i.Name)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.language, got, c.want)
		}
	}
}

// TestImplementedByName: what types say that they extend counts where it is declared to be extended, however far, and nowhere else.
func TestImplementedByName(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		language, text string
		want           []string
	}{
		{"java", `
public interface Base<T> {}
@Of("class")
public abstract class Abstract implements Base<A> {}
public class Plain extends Abstract {}
final class A extends Plain {}
interface More extends Base {}
`, []string{"A m.Abstract", "A m.Base", "Plain m.Abstract", "Plain m.Base"}},
		{"python", `
class Base(abc.ABC): ...
class Like(Protocol[T]): ...
class Meta(metaclass=ABCMeta): ...
class Plain: ...
class A(Base, Like, Meta, Plain): ...
`, []string{"A m.Base", "A m.Like", "A m.Meta"}},
		{"typescript", `
abstract class Base {}
class Plain {}
class A extends Base {}
class B extends Plain {}
`, []string{"A m.Base"}},
		{"rust", `
pub trait Base {}
pub struct A;
impl Base for A {}
impl Base for Vec {}
`, []string{"A m.Base"}},
	} {
		m := source.Module{Path: "m", Units: []source.Unit{in(c.language, unit("m/a.x", false, declared(t, c.language, c.text)...))}}
		shapes := source.NewShapes(m, m.Declarations(), nil, source.Linker{Table: func(string) (source.Table, bool) { return source.Table{}, false }})
		kin := source.Kinship{Shapes: func(name string) (source.Shapes, bool) { return shapes, name == "m" }}
		var got []string
		for _, i := range kin.Implemented("m", nil, func(source.Use) bool { return false }) {
			got = append(got, i.Type+" "+i.Of.Module+"."+i.Of.Name)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.language, got, c.want)
		}
	}
}

// TestImplementedEnds: types that embed each other in a long chain, and as many interfaces, take no more than their share of time.
func TestImplementedEnds(t *testing.T) {
	t.Parallel()
	const many = 20_000
	shapes := source.Shapes{}
	for i := range many {
		shapes[fmt.Sprintf("T%05d", i)] = source.Shape{
			Declared: true, Methods: []source.Member{{Name: "Do", Shape: "()"}}, Bases: []source.Use{{Module: "m", Name: fmt.Sprintf("T%05d", i+1)}},
		}
		shapes[fmt.Sprintf("I%05d", i)] = source.Shape{Declared: true, Interface: true, Point: true, Methods: []source.Member{{Name: "Do", Shape: "()"}}}
	}
	asked := 0
	kin := source.Kinship{Shapes: func(string) (source.Shapes, bool) { asked++; return shapes, true }}
	if kin.Implemented("m", nil, nil); asked > 1<<22 {
		t.Errorf("shapes were asked for %d times", asked)
	}
}

// TestBasesSaid: the bases of a symbol count before those of its header.
func TestBasesSaid(t *testing.T) {
	t.Parallel()
	symbols := declared(t, "java", "class A extends Other {}\nclass Base {}\n")
	symbols[0].Bases = []string{"Base"}
	m := source.Module{Path: "m", Units: []source.Unit{in("java", unit("m/a.x", false, symbols...))}}
	shapes := source.NewShapes(m, m.Declarations(), nil, source.Linker{})
	if want := []source.Use{{Module: "m", Name: "Base"}}; !slices.Equal(shapes["A"].Bases, want) {
		t.Errorf("bases %v, want %v", shapes["A"].Bases, want)
	}
}
