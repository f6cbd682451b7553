import json


def dumps(value) -> str:
    return json.dumps(value)
