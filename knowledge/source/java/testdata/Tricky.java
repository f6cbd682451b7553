/*
 * A licence.
 */
@Deprecated(since = "9") // not a package annotation of a class file
package com.x.tricky;

import static com.x.util.Names.*;
import static com.x.util.Names.SHORT;

import com.x.money.*;
import com.x.money.Money;
import com.x.shapes.Outer.Inner;

import java.util.List;
import java.util.Map;

/** Not the documentation. */
/**
 * Everything that is hard to read,
 *   with an indented line.
 *
 * <pre>{@code
 *   a < b /* not nested *{@literal /}
 * }</pre>
 *
 * @param <T> what it holds
 * @deprecated use {@link Money}
 *     instead
 * @see List
 */
// an ordinary comment in between
@Fancy(names = {"a", ")"}, nested = @Fancy.Part(value = 1, more = @Deep({1, 2})))
public abstract sealed class Tricky<T extends Comparable<? super T> & Runnable>
    extends Base<Map<String, List<T>>>
    implements Serializable, Runnable permits Tricky.Leaf, Other {

    public static final int ONE = 1, SHIFTED = 1 << 3, NEGATIVE = -1, SUM = ONE + Tricky.SHIFTED >>> 2;
    static final long[] TABLE = {1L, 0x1F, 0b101, 1_000, 0x1p-3 > 0 ? 1 : 2};
    protected static final String QUOTES = "a\"}{" + '\'' + "\\", UNICODE = "\u00e9";
    /** A block. */
    public static final String BLOCK = """
        {
          "key": "\""" }"
        """;
    public static final Map<String, List<Integer>> LONG = new java.util.HashMap<String, List<Integer>>(1234567890, 1234567890f);
    public final boolean less = 1 < 2, more = 3 > 2;
    int[] a[], b = {1, 2}, c;
    volatile T value;
    private int secret;
    private static final int BASE = 0x10;

    static {
        int ignored = 1;
        class Local { void inner() {} }
    }

    { secret = 2; }

    /** Makes one. */
    protected Tricky() { this(null); }

    Tricky(@Nullable T value) { this.value = value; }

    /** First. */
    public final <A, B extends List<A>> Map<A, ? extends B[]> convert(final A[] as, B... bs)
        throws java.io.IOException, @Checked IllegalStateException {
        Runnable r = () -> { int x = switch (as.length) { case 1 -> { yield 2; } default -> 3; }; };
        return (a < b) ? null : new Object() { void anonymous() {} }.<A>none();
    }

    /** Second. @deprecated no */
    @Override @SuppressWarnings({"unchecked", "}"}) @Deprecated
    public synchronized int convert() { return ">>".length(); }

    public int old()[] { return null; }

    abstract @Nullable String @NonNull [] annotated(Tricky<T> this, Map.@A Entry<@B(1) String, int[]> e);

    native void sealed();

    private void hidden() {}

    int record(int record) { return record; }

    /// Written in **Markdown**,
    /// over two lines.
    public non-sealed static class Leaf extends Tricky<String> {
        public int size;
        public int size() { return size; }
        public void run() {}
    }

    private static class Secret {
        public static final int PUBLIC = BASE;
        enum Deep { A }
    }

    /** A kind. */
    public enum Kind implements Runnable {
        /** One. */ FIRST("a", 1) { @Override public void run() {} },
        @Deprecated SECOND;

        public static final Kind DEFAULT = FIRST;
        Kind(Object... o) {}
        public void run() {}
    }

    protected enum Empty { ; static int x; }

    /** A pair. */
    public record Pair<L, R>(@Nullable L left, R... right) implements Runnable {
        static int count;
        public Pair { count++; }
        public void run() {}
    }

    @Retention(RUNTIME) public @interface Fancy {
        String[] names() default {"x", "y"};
        int level() default 1 + 2;
        Part nested() default @Part(value = 0);
        int MAX = 3;
        @interface Part { int value(); }
    }

    interface Service<S> {
        String NAME = "service";
        S get(com.x.full.Thing thing);
        default void close() { com.x.util.Closer.close(this); }
        static <Q> Service<Q> of() { return null; }
        private void helper() {}
        class Nested { int field; protected int visible; }
    }
};

@FunctionalInterface
interface Second { void call() throws Exception; }

class déjà { int abc; }
