package source_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/causaldocs/causal/knowledge/source"
)

// declaring makes a type with its signature.
func declaring(name string, kind source.Kind, signature string) source.Symbol {
	s := symbol(name, 1)
	s.Kind, s.Signature = kind, signature
	return s
}

// TestImplementersBySignature: what a type says that it implements stands in its signature, language by language.
func TestImplementersBySignature(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		language string
		symbols  []source.Symbol
		want     []string
	}{
		{"java", []source.Symbol{
			declaring("Base", source.Interface, "public interface Base<T>"),
			declaring("A", source.Class, "@Named({\"a\", \")\"})\npublic final class A<T extends Other> extends Thing<Base<T>> implements Runnable, Base<Map<String, T>> permits B"),
			declaring("B", source.Record, "public record B(int implementsBase, Base other) implements Base<X>"),
			declaring("C", source.Class, "class C extends A<X>"),
			declaring("D", source.Class, "class D<T extends Base> permits Base"),
			declaring("Thing", source.Class, "class Thing"),
		}, []string{"A", "B", "C"}},
		{"typescript", []source.Symbol{
			declaring("Base", source.Interface, "interface Base<T> {\n  get(): T;\n}"),
			declaring("A", source.Class, "@sealed\nabstract class A<T> extends mixed(Object) implements Other, Base<{ a: T }>"),
			declaring("B", source.Interface, "interface B extends Other, Base<string> {\n  implements Base;\n}"),
			declaring("C", source.Class, "class C {\n  extends: Base;\n}"),
			declaring("D", source.Type, "type D<K extends string> = K extends 'a' ? Base : never"),
			declaring("E", source.Type, "type E<K> = K extends Base ? K : never"),
		}, []string{"A", "B"}},
		{"python", []source.Symbol{
			declaring("Base", source.Class, "class Base"),
			declaring("A", source.Class, "@dataclass\nclass A(Other, Base[int], metaclass=Meta)"),
			declaring("B", source.Class, "class B[T](Base)"),
			declaring("C", source.Class, "class C(Other, key=Base)"),
		}, []string{"A", "B"}},
		{"rust", []source.Symbol{
			declaring("Base", source.Trait, "pub trait Base<T>"),
			declaring("A", source.Struct, "pub struct A<T: Base>"),
			declaring("A.<Base<u8>>", source.Method, "impl Base<u8> for A"),
			declaring("B", source.Trait, "pub trait B: Send + Base<u8> where Self: Sized"),
			declaring("C", source.Struct, "struct C"),
		}, []string{"A", "B"}},
		{"c++", []source.Symbol{
			declaring("Base", source.Class, "class Base {\n}"),
			declaring("A", source.Class, "template <typename T> class [[nodiscard]] A final : public ns::Other<T>, private virtual Base {\npublic:\n    Base x;\n}"),
			declaring("B", source.Struct, "struct B {\n    Base x : 1;\n}"),
		}, []string{"A"}},
	} {
		m := source.Module{Path: "m", Units: []source.Unit{in(c.language, unit("m/a.x", false, c.symbols...))}}
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
		language string
		symbols  []source.Symbol
		want     []string
	}{
		{"java", []source.Symbol{
			declaring("Base", source.Interface, "public interface Base<T>"),
			declaring("Abstract", source.Class, "@Of(\"class\")\npublic abstract class Abstract implements Base<A>"),
			declaring("Plain", source.Class, "public class Plain extends Abstract"),
			declaring("A", source.Class, "final class A extends Plain"),
			declaring("More", source.Interface, "interface More extends Base"),
		}, []string{"A m.Abstract", "A m.Base", "Plain m.Abstract", "Plain m.Base"}},
		{"python", []source.Symbol{
			declaring("Base", source.Class, "class Base(abc.ABC)"), declaring("Like", source.Class, "class Like(Protocol[T])"),
			declaring("Meta", source.Class, "class Meta(metaclass=ABCMeta)"), declaring("Plain", source.Class, "class Plain"),
			declaring("A", source.Class, "class A(Base, Like, Meta, Plain)"),
		}, []string{"A m.Base", "A m.Like", "A m.Meta"}},
		{"typescript", []source.Symbol{
			declaring("Base", source.Class, "abstract class Base"), declaring("Plain", source.Class, "class Plain"),
			declaring("A", source.Class, "class A extends Base"), declaring("B", source.Class, "class B extends Plain"),
		}, []string{"A m.Base"}},
		{"rust", []source.Symbol{
			declaring("Base", source.Trait, "pub trait Base"), declaring("A", source.Struct, "pub struct A"),
			declaring("A.<Base>", source.Method, "impl Base for A"), declaring("Vec.<Base>", source.Method, "impl Base for Vec"),
		}, []string{"A m.Base"}},
	} {
		m := source.Module{Path: "m", Units: []source.Unit{in(c.language, unit("m/a.x", false, c.symbols...))}}
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

// TestBasesSaid: what the reader of a language says of the bases counts before what the signature looks like.
func TestBasesSaid(t *testing.T) {
	t.Parallel()
	said := declaring("A", source.Class, "class A extends Other")
	said.Bases = []string{"Base"}
	m := source.Module{Path: "m", Units: []source.Unit{in("java", unit("m/a.x", false, said, declaring("Base", source.Class, "class Base")))}}
	shapes := source.NewShapes(m, m.Declarations(), nil, source.Linker{})
	if want := []source.Use{{Module: "m", Name: "Base"}}; !slices.Equal(shapes["A"].Bases, want) {
		t.Errorf("bases %v, want %v", shapes["A"].Bases, want)
	}
}
