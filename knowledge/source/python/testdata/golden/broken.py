"""Every kind of damage, and what is still found."""
import os


def before(a, b):
    return os.path


def unclosed(a, (b:
    return [1, 2


class After:
    def method(self)
        return 1

    text = "no end
    other = 1


def 3(): pass
def dedent():
        a = 1
    b = 2
x = $ ? 1)


def last() -> int: return 1
s = """never closed
def swallowed(): pass
