from shop.json import dumps


def test_dumps():
    assert dumps(1) == "1"
