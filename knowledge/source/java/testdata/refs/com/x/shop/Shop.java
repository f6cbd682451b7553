package com.x.shop;

import static com.x.money.Money.ZERO;
import static com.x.money.Money.of;

import com.x.money.Money;
import com.x.money.Money.Units;
import java.io.IOException;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;

@Shop.Named(value = Shop.NAME, units = {Units.BASE, Units.HUNDRED})
public class Shop<T extends Shop.Item> {
    static final String NAME = "shop";
    private final List<T> items = new ArrayList<>();
    private Supplier<Money> price = () -> ZERO;
    Shop<T> next;

    @interface Named {
        String value() default NAME;

        Units[] units() default {};
    }

    record Item(String name, Money money) {
        static int made;

        Item {
            made++;
            name = name.trim();
        }

        Item(String name) {
            this(name, of(name));
        }

        Money doubled() {
            return money.plus(money(), this.money);
        }
    }

    sealed interface Event permits Sale, Refund {}

    record Sale(Item item, int count) implements Event {}

    record Refund(Item item) implements Event {
        Item again() {
            return item();
        }
    }

    int handle(Object event) {
        if (!(event instanceof Event known)) {
            return -1;
        }
        if (known instanceof Sale sale && sale.count() > 0) {
            return sale.item().money().cents();
        }
        int item = event.hashCode();
        return switch (item % 3) {
            case 0 -> ((Refund) event).item.money.cents();
            case 1 -> {
                int limit = item;
                yield limit;
            }
            default -> Units.valueOf("BASE").factor();
        };
    }

    <R> List<R> each(Function<? super T, ? extends R> f) {
        return items.stream().map(f).<R>map(x -> x).collect(Collectors.toList());
    }

    String names() throws IOException {
        StringBuilder out = new StringBuilder();
        outer:
        for (T item : items) {
            for (int i = 0, n = item.name().length(); i < n; i++) {
                if (item.name().charAt(i) == ' ') {
                    continue outer;
                }
            }
            out.append(item.name());
        }
        try (StringReader reader = new StringReader(out.toString()); reader) {
            return "" + (char) reader.read() + each(Item::name) + this.<String>each(T::name);
        } catch (IllegalStateException | NullPointerException e) {
            throw new IOException(e.getMessage(), e.getCause());
        } finally {
            price = Money::new;
        }
    }

    Money total() {
        class Sum {
            Money money = ZERO;

            void add(Item item) {
                money = money.plus(item.money(), price.get());
                count();
            }
        }
        Sum sum = new Sum();
        for (T item : items) {
            sum.add(item);
        }
        var again = new Sum();
        again.add(next.items.get(0));
        return again.money;
    }

    private int count() {
        return items.size() + (next == null ? 0 : next.count()) + Item.made + java.util.Objects.hash(items, price);
    }
}
