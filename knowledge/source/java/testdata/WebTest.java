package com.x.web;

import org.junit.jupiter.api.Test;

class WebTest {
    @Test void answers() {}
    @ParameterizedTest @ValueSource(ints = {1, 2}) void counts(int n) {}
    void helper() { System.exit(3); }
    @Nested class Inner { @org.junit.jupiter.api.Test void deep() {} }
    public static class Old extends TestCase { public void testIt() {} public void helper() {} }
}
