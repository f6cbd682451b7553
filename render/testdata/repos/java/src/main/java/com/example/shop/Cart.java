package com.example.shop;

import java.util.List;
import org.slf4j.Logger;

/**
 * A cart holds {@link Item items}.
 *
 * @param <T> what is in it
 */
public class Cart<T extends Item> {
    /** At most this many. */
    public static final int LIMIT = 100;

    private final List<T> items;

    public Cart(List<T> items) {
        this.items = items;
    }

    /**
     * Sums up.
     *
     * @return the sum
     * @throws IllegalStateException if there are too many
     */
    public long total() throws IllegalStateException {
        return 0;
    }

    /** @deprecated use {@link #total} */
    @Deprecated
    public long sum() {
        return total();
    }
}
