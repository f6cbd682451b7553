package source_test

import (
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
