"""Prints what the standard library reads in each mail that is named, as JSON."""

import json
import sys
from email import message_from_bytes, policy
from email.utils import parsedate_to_datetime
from pathlib import Path


def read(file):
    mail = message_from_bytes(Path(file).read_bytes(), policy=policy.default)
    addresses = {
        name: [address.addr_spec for address in mail[name].addresses] if mail[name] else []
        for name in ("From", "To", "Reply-To")
    }
    return {
        **addresses,
        "Subject": mail["Subject"],
        "Auto-Submitted": mail["Auto-Submitted"],
        "Message-ID": mail["Message-ID"],
        "date": parsedate_to_datetime(mail["Date"]).isoformat(),
        "headers": sorted(mail.keys()),
        "defects": [str(defect) for part in mail.walk() for defect in part.defects],
        "text": mail.get_content(),
    }


print(json.dumps([read(file) for file in sys.argv[1:]]))
