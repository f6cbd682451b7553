import unittest
from sample import run

def test_run(): assert run()
def helper(): pass
class TestRun:
    def test_twice(self): pass
    def setup(self): pass
class More(unittest.TestCase):
    def testCamel(self): pass
class Plain:
    def test_not(self): pass
