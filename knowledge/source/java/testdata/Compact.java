import module java.base;

/// Says hello.
void main() {
    IO.println(greeting());
}

final String name = "you";

String greeting() { return "Hello, " + name; }

record Guest(String name) {}
