package com.example.shop;

/** One line. */
public record Item(String name, long price) {
    public enum Size { SMALL, LARGE }
}
