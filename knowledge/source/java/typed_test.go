package java_test

import (
	"testing"

	"github.com/causaldocs/causal/knowledge/source/java"
	"github.com/causaldocs/causal/knowledge/source/sourcetest"
)

func TestHeaders(t *testing.T) {
	sourcetest.Headers(t, java.Language{}, "Shop.java", `
package shop;
@Beta @Named(value = "a, b")
public abstract non-sealed class Shop<T extends Comparable<? super T> & Cloneable, U> extends Base<T, U> implements One, p.Two<U> permits Other {
  public static final int LIMIT = 3, OTHER[] = {1};
  protected Map<String, int[]> held[];
  public Shop() {}
  @Override public <K, V extends T> Map<K, V> of(final @NotNull(when = "x") Map<K, V> map, int sizes[], String... names) throws E, F { return null; }
  public synchronized void own(Shop<T, U> this, int a) {}
  public enum Kind implements Named { @Deprecated A(1), B { }, C; }
  public record Point(int x, @Nullable List<String> names) implements Named {}
  public @interface Note { String value() default "none"; int[] list(); }
  public sealed interface Open extends A, B<T, U> permits X { default int f() { return 1; } }
}
`, `
Shop: @Beta @Named(value = "a, b") public abstract non-sealed [class] <T: Comparable<? super T> & Cloneable, U> +Base<T, U> +One +p.Two<U>
Shop.LIMIT: public static final -> int = 3
Shop.OTHER: public static final -> int[] = {1}
Shop.held: protected -> Map<String, int[]>[]
Shop.Shop: public
Shop.of: public <K, V: T> (map: Map<K, V>, sizes: int[], v:names: String...) -> Map<K, V>
Shop.own: public synchronized (s:this: Shop<T, U>, a: int) -> void
Shop.Kind: public [enum] {A, B, C} +Named
Shop.Point: public [record] (x: int, names: List<String>) +Named
Shop.Note: public [@interface]
Shop.Note.value: -> String = "none"
Shop.Note.list: -> int[]
Shop.Open: public sealed [interface] +A +B<T, U>
Shop.Open.f: default -> int
`)
}
