"""
Verifies a webhook as a receiver in Python does that has one secret: by the library of Standard Webhooks, and by hand.
Gets {"secret", "headers", "body", "now"} as its argument, `now` in seconds; prints {"library", "hand"}.
"""

import base64
import datetime
import hashlib
import hmac
import json
import sys

from standardwebhooks import webhooks

received = json.loads(sys.argv[1])
secret, headers, body = received["secret"], received["headers"], received["body"]


class Clock(datetime.datetime):
    @classmethod
    def now(cls, tz=None):
        return cls.fromtimestamp(received["now"], tz)


webhooks.datetime = Clock


def by_library():
    try:
        return webhooks.Webhook(secret).verify(body, headers) == json.loads(body)
    except webhooks.WebhookVerificationError:
        return False


def by_hand():
    key = base64.b64decode(secret.removeprefix("whsec_"), validate=True)
    signed = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.{body}".encode()
    signature = base64.b64encode(hmac.digest(key, signed, hashlib.sha256)).decode()
    is_fresh = abs(received["now"] - int(headers["webhook-timestamp"])) < 300
    return is_fresh and f"v1,{signature}" in headers["webhook-signature"].split(" ")


print(json.dumps({"library": by_library(), "hand": by_hand()}))
