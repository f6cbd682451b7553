package api

import (
	"fmt"
	"strings"
	"testing"
)

const (
	javaMoney = "src/com/x/money/Money.java"
	javaCart  = "src/com/x/cart/Cart.java"
	javaSize  = "src/com/x/money/internal/Size.java"
)

var javaShop = files{
	javaMoney: `package com.x.money;

import java.util.List;

/** Amounts. */
public class Money<T extends Number> {
    public static final int SCALE = 100;
    public static final String VERSION = "1.0";
    protected int days;
    public List<String> notes;

    public Money(T units) {}

    /** Reads. */
    @Deprecated
    public static Money<Integer> parse(String text, boolean strict) { return null; }

    public void add(int units) {}
    public void add(long units) {}

    public <U> Money<T> with(T first, U[] more, String... rest) { return this; }

    protected void round() {}

    void own() {}

    @Override
    public String toString() { return ""; }

    public interface Store {
        int LIMIT = 1;
        void put(Money<?> m);
        default void clear() {}
    }

    public enum Kind { COIN, NOTE(2), CARD }

    public record Rate(int of, String name) {}

    public @interface Range {
        int low() default 0;
    }
}
`,
	"src/com/x/money/Purse.java": "package com.x.money;\n\npublic class Purse extends Money<Integer> {\n    private Purse() { super(1); }\n    public void own2() {}\n    public void add(int units) {}\n    protected void out() {}\n    public void _all() {}\n}\n",
	"src/com/x/money/Tool.java":  "package com.x.money;\n\nclass Tool {\n    public void use(int a) {}\n}\n",
	javaSize:                     "package com.x.money.internal;\n\npublic final class Size {\n    public static int of(int a) { return a; }\n    public static int free(int a) { return a; }\n}\n",
	javaCart:                     "package com.x.cart;\n\nimport com.x.money.Money;\nimport com.x.money.internal.Size;\n\npublic class Cart implements Money.Store {\n    int total() {\n        Money.parse(\"1\", true);\n        return Size.of(1) + Money.SCALE;\n    }\n    public void put(Money<?> m) {}\n}\n",
}

func TestJava(t *testing.T) {
	t.Parallel()
	const parse = "public static Money<Integer> parse(String text, boolean strict)"
	one := func(rest string) []string { return []string{rest} }
	for name, test := range map[string]struct {
		edits []edit
		want  []string
	}{
		"method removed":                 {[]edit{{javaMoney, "    /** Reads. */\n    @Deprecated\n    " + parse + " { return null; }\n", ""}}, one("Money.parse method removed error " + javaMoney + ":16 left -> " + javaCart + ":8")},
		"parameter removed":              {[]edit{{javaMoney, parse, "public static Money<Integer> parse(String text)"}}, one("Money.parse parameter removed error " + javaMoney + ":16 -> " + javaCart + ":8")},
		"parameter added":                {[]edit{{javaMoney, parse, "public static Money<Integer> parse(String text, boolean strict, int base)"}}, one("Money.parse parameter added error " + javaMoney + ":16 -> " + javaCart + ":8")},
		"parameter retyped":              {[]edit{{javaMoney, parse, "public static Money<Integer> parse(CharSequence text, boolean strict)"}}, one("Money.parse parameter retyped error " + javaMoney + ":16")},
		"constructor beside a call":      {[]edit{{javaMoney, "notes;", "notes;\n    private final Object one = new Money(1, 2);"}, {javaMoney, "Money(T units) {}", "Money(T units, int base) {}"}}, one("Money.Money parameter added error " + javaMoney + ":13")},
		"result retyped":                 {[]edit{{javaMoney, parse, "public static Number parse(String text, boolean strict)"}}, one("Money.parse result retyped error " + javaMoney + ":16")},
		"made protected":                 {[]edit{{javaMoney, parse, "protected static Money<Integer> parse(String text, boolean strict)"}}, one("Money.parse visibility narrowed error " + javaMoney + ":16 -> " + javaCart + ":8")},
		"no longer static":               {[]edit{{javaMoney, parse, "public Money<Integer> parse(String text, boolean strict)"}}, one("Money.parse static removed error " + javaMoney + ":16 -> " + javaCart + ":8")},
		"made package-private":           {[]edit{{javaMoney, "public void add(int units) {}\n    public void add(long units)", "void add(int units) {}\n    void add(long units)"}}, one("Money.add visibility narrowed error " + javaMoney + ":18")},
		"overload removed":               {[]edit{{javaMoney, "    public void add(long units) {}\n", ""}}, one("Money.add overload removed error " + javaMoney + ":19 left")},
		"no longer variadic":             {[]edit{{javaMoney, "String... rest", "String[] rest"}}, one("Money.with variadic removed error " + javaMoney + ":21")},
		"method made final":              {[]edit{{javaMoney, "protected void round", "protected final void round"}}, one("Money.round final added error " + javaMoney + ":23")},
		"protected method removed":       {[]edit{{javaMoney, "    protected void round() {}\n", ""}}, one("Money.round method removed error " + javaMoney + ":23 left")},
		"constant's value":               {[]edit{{javaMoney, "SCALE = 100", "SCALE = 1000"}}, one("Money.SCALE constant's value changed error " + javaMoney + ":7 -> " + javaCart + ":9")},
		"field retyped":                  {[]edit{{javaMoney, "List<String> notes", "String[] notes"}}, one("Money.notes field retyped error " + javaMoney + ":10")},
		"field removed":                  {[]edit{{javaMoney, "    public List<String> notes;\n", ""}}, one("Money.notes field removed error " + javaMoney + ":10 left")},
		"field made final":               {[]edit{{javaMoney, "public List<String> notes", "public final List<String> notes"}}, one("Money.notes final added error " + javaMoney + ":10")},
		"class made final":               {[]edit{{javaMoney, "public class Money", "public final class Money"}}, one("Money final added error " + javaMoney + ":6")},
		"class made sealed":              {[]edit{{javaMoney, "public class Money<T extends Number>", "public sealed class Money<T extends Number> permits Purse"}}, one("Money sealed added error " + javaMoney + ":6")},
		"class made abstract":            {[]edit{{javaMoney, "public class Money", "public abstract class Money"}}, one("Money abstract added error " + javaMoney + ":6")},
		"method of an interface added":   {[]edit{{javaMoney, "        default void clear() {}\n", "        default void clear() {}\n        void take();\n"}}, one("Money.Store.take method added error " + javaMoney + ":34 -> " + javaCart + ":6")},
		"default removed":                {[]edit{{javaMoney, "default void clear() {}", "void clear();"}}, one("Money.Store.clear abstract added error " + javaMoney + ":33")},
		"enum constant removed":          {[]edit{{javaMoney, "COIN, NOTE(2), CARD", "COIN, CARD"}}, one("Money.Kind.NOTE enum constant removed error " + javaMoney + ":36")},
		"record component removed":       {[]edit{{javaMoney, "int of, String name", "int of"}}, one("Money.Rate.name record component removed error " + javaMoney + ":38")},
		"element added":                  {[]edit{{javaMoney, "int low() default 0;", "int low() default 0;\n        int high();"}}, one("Money.Range.high element added error " + javaMoney + ":42")},
		"element loses its default":      {[]edit{{javaMoney, "int low() default 0;", "int low();"}}, one("Money.Range.low default removed error " + javaMoney + ":41")},
		"nested type removed":            {[]edit{{javaMoney, "    public enum Kind { COIN, NOTE(2), CARD }\n", ""}}, one("Money.Kind enum removed error " + javaMoney + ":36 left")},
		"interface becomes a class":      {[]edit{{javaMoney, "public interface Store {\n        int LIMIT = 1;\n        void put(Money<?> m);\n        default void clear() {}", "public static abstract class Store {\n        public static final int LIMIT = 1;\n        public abstract void put(Money<?> m);\n        public void clear() {}"}}, one("Money.Store interface changed to class error " + javaMoney + ":30 -> " + javaCart + ":6")},
		"internal and used":              {[]edit{{javaSize, "of(int a)", "of(int a, int b)"}}, one("Size.of parameter added note " + javaSize + ":4 -> " + javaCart + ":9")},
		"internal":                       {[]edit{{javaSize, "free(int a)", "free(int a, int b)"}}, nil},
		"type removed":                   {[]edit{{path: "src/com/x/money/Purse.java"}}, one("Purse class removed error src/com/x/money/Purse.java:3 left")},
		"moved to another root":          {[]edit{{path: "src/com/x/money/Purse.java"}, {"main/com/x/money/Purse.java", "", javaShop["src/com/x/money/Purse.java"]}}, nil},
		"rewritten in another language":  {[]edit{{path: "src/com/x/money/Purse.java"}, {"src/com/x/money/Purse.kt", "", "class Purse\n"}}, nil},
		"not exported":                   {[]edit{{"src/com/x/money/Tool.java", "use(int a)", "use()"}, {javaMoney, "    void own() {}\n", ""}}, nil},
		"inherited":                      {[]edit{{"src/com/x/money/Purse.java", "    public void add(int units) {}\n", ""}}, nil},
		"result of what is overridden":   {[]edit{{"src/com/x/money/Purse.java", "public void add(int units) {}", "public Purse add(int units) { return this; }"}}, nil},
		"result of its own":              {[]edit{{"src/com/x/money/Purse.java", "public void own2() {}", "public Purse own2() { return this; }"}}, one("Purse.own2 result retyped error src/com/x/money/Purse.java:5")},
		"underscore":                     {[]edit{{"src/com/x/money/Purse.java", "    public void _all() {}\n", ""}}, nil},
		"of everybody":                   {[]edit{{javaMoney, "    @Override\n    public String toString() { return \"\"; }\n", ""}}, nil},
		"protected of nobody's heirs":    {[]edit{{"src/com/x/money/Purse.java", "    protected void out() {}\n", ""}}, nil},
		"type argument":                  {[]edit{{javaMoney, "Money<?> m", "Money<? extends Number> m"}}, nil},
		"type parameters renamed":        {[]edit{{javaMoney, "<U> Money<T> with(T first, U[] more, String... rest)", "<V> Money<T> with(final T one, V more[], java.lang.String... rest)"}}, nil},
		"made variadic":                  {[]edit{{javaMoney, "U[] more, String... rest", "U[] more, String... others"}}, nil},
		"overload added":                 {[]edit{{javaMoney, parse, "public static Money<Integer> parse(String text) { return null; }\n    " + parse}}, nil},
		"method with a body added":       {[]edit{{javaMoney, "        default void clear() {}\n", "        default void clear() {}\n        default void take() {}\n        static void of() {}\n        boolean equals(Object o);\n"}}, nil},
		"enum constant added":            {[]edit{{javaMoney, "COIN, NOTE(2), CARD", "COIN, @Deprecated NOTE(2), NEW { }, CARD"}}, nil},
		"version":                        {[]edit{{javaMoney, "VERSION = \"1.0\"", "VERSION = \"1.1\""}}, nil},
		"the same value":                 {[]edit{{javaMoney, "SCALE = 100", "SCALE = 0x64"}}, nil},
		"final in final":                 {[]edit{{javaSize, "public static int free", "public static final int free"}}, nil},
		"constructor without parameters": {[]edit{{javaSize, "public final class Size {\n", "public final class Size {\n    public Size() {}\n"}}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			expect(t, javaShop, javaShop.edited(t, test.edits...), test.want...)
		})
	}
}

// TestJavaConstructor: a class has a constructor without parameters as long as it declares none.
func TestJavaConstructor(t *testing.T) {
	t.Parallel()
	was := files{"p/A.java": "package p;\npublic class A {\n    public A() {}\n    public void m() {}\n}\n"}
	expect(t, was, was.edited(t, edit{"p/A.java", "    public A() {}\n", ""}))
	expect(t, was, was.edited(t, edit{"p/A.java", "public A()", "public A(int a)"}), "A.A parameter added error p/A.java:3")
}

// TestJavaImplicitConstructor: a class without a constructor has a public one, unless a generator or a container makes it.
func TestJavaImplicitConstructor(t *testing.T) {
	t.Parallel()
	const plain = "package p;\npublic class A {\n    public void m() {}\n    protected void n() {}\n}\n"
	for _, test := range []struct {
		was, old, now string
		want          []string
	}{
		{plain, "public class", "public final class", []string{"A final added error p/A.java:2"}},
		{plain, "public class", "public abstract class", []string{"A abstract added error p/A.java:2"}},
		{plain, "    protected void n() {}\n", "", []string{"A.n method removed error p/A.java:4 left"}},
		{strings.Replace(plain, "class", "abstract class", 1), "m() {}", "m() {}\n    public abstract void z();", []string{"A.z method added error p/A.java:4"}},
		{strings.Replace(strings.Replace(plain, "class", "abstract class", 1), "{\n", "{\n    public A() {}\n", 1), "public A", "protected A", nil},
		{strings.Replace(plain, "class", "abstract class", 1), "public void m() {}", "public abstract void m();", []string{"A.m abstract added error p/A.java:3"}},
		{strings.Replace(plain, "public class", "@Service\npublic class", 1), "public class", "public final class", nil},
		{strings.Replace(plain, "public class", "@NoArgsConstructor(access = AccessLevel.PRIVATE)\npublic class", 1), "public class", "public final class", nil},
		{strings.Replace(strings.Replace(plain, "public void", "public static void", 1), "    protected void n() {}\n", "", 1), "public class", "public final class", nil},
		{strings.Replace(plain, "{\n", "{\n    private A() {}\n", 1), "public class", "public final class", nil},
	} {
		was := files{"p/A.java": test.was}
		expect(t, was, was.edited(t, edit{"p/A.java", test.old, test.now}), test.want...)
	}
}

// TestJavaBasesAndExceptions: a lost base and an added checked exception.
func TestJavaBasesAndExceptions(t *testing.T) {
	t.Parallel()
	was := files{
		"p/A.java":   "package p;\npublic class A extends Base implements Closeable, Own {\n    public void m() {}\n    public void n() throws Exception {}\n}\n",
		"p/B.java":   "package p;\npublic class B extends Other implements Closeable {\n}\n",
		"p/Own.java": "package p;\ninterface Own {\n}\n",
	}
	for _, test := range []struct{ path, old, now, want string }{
		{"p/A.java", "extends Base implements Closeable, Own", "implements Closeable, Own", ""}, // another file may give Own more
		{"p/A.java", "extends Base implements Closeable, Own", "implements Closeable", "A base removed error p/A.java:2"},
		{"p/A.java", "extends Base implements Closeable, Own", "extends Base", ""}, // Base may be a Closeable
		{"p/B.java", " implements Closeable", "", ""},
		{"p/B.java", "extends Other implements Closeable", "implements Closeable", "B base removed error p/B.java:2"},
		{"p/A.java", "m() {}", "m() throws java.io.IOException {}", "A.m exception added error p/A.java:3"},
		{"p/A.java", "m() {}", "m() throws IllegalStateException {}", ""},
		{"p/A.java", "throws Exception", "throws java.io.IOException", ""},
	} {
		var want []string
		if test.want != "" {
			want = []string{test.want}
		}
		expect(t, was, was.edited(t, edit{test.path, test.old, test.now}), want...)
	}
}

// TestJavaClosed: of a type that nobody is to implement there may be more.
func TestJavaClosed(t *testing.T) {
	t.Parallel()
	for note, want := range map[string][]string{
		"@NotExtensible": nil, "@DoNotImplement": nil, "@ApiStatus.NonExtendable": nil, "@ProviderType": nil,
		"/** What is asked of it.\n * It is not meant to be\n * implemented by others. */": {"A.n method added note p/A.java:7"},
		"/** What is asked of it.\n * It is meant to be\n * implemented by others too. */": {"A.n method added error p/A.java:7"},
		"@FunctionalInterface": {"A.n method added error p/A.java:5"},
	} {
		was := files{"p/A.java": "package p;\n" + note + "\npublic interface A {\n    void m();\n}\n"}
		expect(t, was, was.edited(t, edit{"p/A.java", "    void m();\n", "    void m();\n    void n();\n"}), want...)
		expect(t, was, was.edited(t, edit{"p/A.java", "void m();", "void m(int a);"}), "A.m parameter added error p/A.java:"+map[bool]string{true: "6", false: "4"}[note[0] == '/'])
	}
}

// TestJavaManyMethods: nobody implements an interface of many methods by hand.
func TestJavaManyMethods(t *testing.T) {
	t.Parallel()
	for many, severity := range map[int]string{manyMethods - 1: "error", manyMethods: "note"} {
		text := "package p;\npublic interface A {\n"
		for i := range many {
			text += fmt.Sprintf("    void m%d();\n", i)
		}
		was := files{"p/A.java": text + "}\n"}
		expect(t, was, was.edited(t, edit{"p/A.java", "void m1();", "void m1();\n    void more();"}), "A.more method added "+severity+" p/A.java:5")
	}
}

// TestJavaPackageAbstract: nobody can extend a class that asks for what only its package sees.
func TestJavaPackageAbstract(t *testing.T) {
	t.Parallel()
	was := files{"p/A.java": "package p;\npublic abstract class A {\n    protected A() {}\n    protected void m(int a) {}\n    abstract void n();\n}\n"}
	narrowed := edit{"p/A.java", "m(int a)", "m()"}
	expect(t, was, was.edited(t, narrowed))
	was["p/A.java"] = strings.Replace(was["p/A.java"], "abstract void n", "protected abstract void n", 1)
	expect(t, was, was.edited(t, narrowed), "A.m parameter removed error p/A.java:4")
}

// TestJavaWired: what a container makes and calls gets what it asks for.
func TestJavaWired(t *testing.T) {
	t.Parallel()
	was := files{"p/A.java": "package p;\n@Singleton\npublic class A {\n    public A(int a) {}\n    @Bean\n    public int b(int a) { return a; }\n    public int c(int a) { return a; }\n}\n"}
	expect(t, was, was.edited(t, edit{"p/A.java", "A(int a)", "A(int a, int b)"}, edit{"p/A.java", "b(int a)", "b(int a, int b)"}))
	expect(t, was, was.edited(t, edit{"p/A.java", "c(int a)", "c(int a, int b)"}), "A.c parameter added error p/A.java:7")
	was["p/A.java"] = strings.Replace(was["p/A.java"], "@Singleton\n", "", 1)
	expect(t, was, was.edited(t, edit{"p/A.java", "A(int a)", "A(int a, int b)"}), "A.A parameter added error p/A.java:3")
}

// TestJavaUnsure: what says that it may change may.
func TestJavaUnsure(t *testing.T) {
	t.Parallel()
	was := files{"p/A.java": "package p;\n@Beta\npublic class A {\n    public void m() {}\n}\n"}
	expect(t, was, was.edited(t, edit{"p/A.java", "    public void m() {}\n", ""}))
}

// TestJavaHeirs: only classes that neither have nor inherit the new method are affected.
func TestJavaHeirs(t *testing.T) {
	t.Parallel()
	was := files{
		"src/p/Shape.java":  "package p;\npublic interface Shape {\n  int area();\n}\n",
		"src/q/Base.java":   "package q;\nimport p.Shape;\nabstract class Base implements Shape {\n  public int area() { return 1; }\n}\n",
		"src/q/Inner.java":  "package q;\nimport p.Shape;\ninterface Inner extends Shape {\n}\n",
		"src/q/Square.java": "package q;\nimport p.Shape;\nclass Square extends Base implements Shape {\n}\n",
		"src/q/Plain.java":  "package q;\nimport p.Shape;\nclass Plain implements Shape, java.io.Serializable {\n  public int area() { return 1; }\n}\n",
		"src/q/Other.java":  "package q;\nimport p.Shape;\nimport com.x.Outside;\nclass Other extends Outside implements Shape {\n}\n",
	}
	sides := edit{"src/p/Shape.java", "int area();", "int area();\n  int sides();"}
	const added = "Shape.sides method added error src/p/Shape.java:4"
	expect(t, was, was.edited(t, sides), added+" -> src/q/Plain.java:3 -> src/q/Square.java:3")
	inherited := edit{"src/q/Base.java", "return 1; }", "return 1; }\n  public int sides() { return 4; }"}
	expect(t, was, was.edited(t, sides, inherited), added+" -> src/q/Plain.java:3")
}
