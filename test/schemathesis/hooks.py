"""What the contract says and the document cannot."""

import re
from uuid import uuid4

import schemathesis

KEY = "Idempotency-Key"


@schemathesis.hook
def before_call(context, case, kwargs):
    """Makes each valid key one that was never used: else it is 422, whatever is wrong with the body."""
    key = (case.headers or {}).get(KEY)
    if isinstance(key, str) and re.fullmatch(r"[\x21-\x7e]{1,255}", key):
        case.headers[KEY] = f"{uuid4()}-{key}"[:255]


def is_blank(value):
    return value is None or (isinstance(value, str) and not value.strip())


def holds_blank(body):
    values = body.values() if isinstance(body, dict) else []
    return any(is_blank(each) for value in values for each in (value if isinstance(value, list) else [value]))


@schemathesis.hook
def filter_failure(context, failure, case, response):
    """Whether a failure counts."""
    kind = type(failure).__name__
    # A cursor is opaque: which ones a list takes, no schema tells.
    if kind == "RejectedPositiveData" and response.status_code == 400:
        return [fault["field"] for fault in response.json().get("details", [])] != ["cursor"]
    # What is blank or null counts as absent, whatever its schema: for forms, which send it, and not for clients to use.
    if kind == "AcceptedNegativeData":
        return not holds_blank(case.body)
    return True
