package com.x.money;

import java.io.Serializable;
import java.util.Comparator;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntBinaryOperator;

/** An amount. */
public class Money extends Amount implements Comparable<Money>, Serializable {
    public static final Money ZERO = new Money(0);
    static final Map<String, Money> KNOWN = new TreeMap<>(Comparator.comparing(String::length).reversed());
    private final int cents;
    public Money[] parts = {ZERO, of("1")};

    static {
        KNOWN.put("zero", ZERO);
        for (Map.Entry<String, Money> entry : KNOWN.entrySet()) {
            entry.getValue().touch();
        }
    }

    public Money(int cents) {
        this.cents = cents;
    }

    public Money() {
        this(Units.BASE.factor());
    }

    public static Money of(String text) {
        return KNOWN.computeIfAbsent(text, key -> new Money(Integer.parseInt(key.trim())));
    }

    public Money plus(Money... others) {
        int sum = cents;
        for (Money other : others) {
            sum += other.cents;
        }
        IntBinaryOperator op = (a, b) -> limit(a + b);
        return new Money(op.applyAsInt(sum, 0)) {
            private int seen = cents();

            @Override
            public int cents() {
                return seen + super.cents() + total;
            }
        };
    }

    public int cents() {
        return cents;
    }

    private void touch() {
        total++;
        note(Kind.TOUCHED);
    }

    static int limit(int value) {
        return value > Units.MAX ? Units.MAX : value;
    }

    @Override
    public int compareTo(Money o) {
        return Integer.compare(cents, o.cents);
    }

    /** Units. */
    public enum Units implements Sized {
        BASE(1),
        HUNDRED(100) {
            @Override
            public int factor() {
                return size * BASE.size;
            }
        };

        static final int MAX = 1 << 20;
        final int size;

        Units(int size) {
            this.size = size;
        }

        @Override
        public int factor() {
            return size + ordinal() + values().length;
        }
    }

    interface Sized {
        int factor();
    }
}

abstract class Amount {
    protected int total;

    protected void note(Kind kind) {
        switch (kind) {
            case TOUCHED:
                total = kind.weight;
                break;
            case FRESH:
            default:
        }
    }

    enum Kind {
        FRESH, TOUCHED;

        int weight = name().length();
    }
}
