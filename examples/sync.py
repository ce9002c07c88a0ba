#!/usr/bin/env python3
"""Nightly sync: keeps every contact request of the service, each once, in an SQLite database and a CSV file.

    BASE_URL=https://... STAFF_TOKEN=crcs_... python3 sync.py [--delete]

Run it as often as you like: it goes on where it ended, wherever that was. With --delete it then deletes at the service
what is processed: what is committed to the database here, and written to the CSV file. Work of your own goes between the
two, where main() says so. The copies here are yours to keep safe, and to erase when a person asks for it.

Needs Python 3.9 or later, nothing else. Smallest token: contacts:read; for --delete contacts:read,contacts:delete
"""
import csv, json, os, re, sqlite3, sys, time
from urllib.error import HTTPError
from urllib.request import HTTPRedirectHandler, Request, build_opener

BASE = os.environ.get("BASE_URL", "").rstrip("/")
TOKEN = os.environ.get("STAFF_TOKEN", "")
# Files for each service: what was read of one says nothing of another.
FILE = "contacts." + re.sub(r"[^\w.-]", "_", re.sub(r"^https?://", "", BASE), flags=re.ASCII)
COLUMNS = "id createdAt email phone company message firstName lastName site releasedAt extra".split()


def fail(why):
    """One line, and exit code 1: the next run goes on."""
    sys.exit(" ".join(f"sync.py failed: {why}".split()))


class NoRedirect(HTTPRedirectHandler):
    """With a redirect the token would go wherever it leads."""

    def redirect_request(self, *_):
        return None


def call(method, path):
    """Sends a request, up to five times again when the service is busy: each time as late as it says, a minute at most."""
    request = Request(BASE + path, method=method, headers={"Authentication": TOKEN})
    for tries_left in reversed(range(6)):
        try:
            with build_opener(NoRedirect).open(request, timeout=30) as answer:
                return answer.headers.get("Link", ""), answer.read()
        except HTTPError as error:
            if method == "DELETE" and error.code == 404:
                return "", b""  # It is gone already.
            wait = error.headers.get("Retry-After", "")
            if error.code not in (429, 503) or not tries_left or not wait.isdigit() or int(wait) > 60:
                fail(f"{error.code} {error.read().decode(errors='replace')}")
            time.sleep(int(wait))


def cell(value):
    """An apostrophe keeps a spreadsheet from taking a text for a formula. Programs read the database instead."""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return re.sub(r"""(^|[,;\t\r\n])((?:["']|[^\S\t\r\n])*)([=+\-@＝＋－＠])""", r"\1\2'\3", text)


def main():
    if sys.argv[1:] not in ([], ["--delete"]) or not re.match("https?://", BASE) or not re.fullmatch("[!-~]+", TOKEN):
        fail("usage: BASE_URL=https://... STAFF_TOKEN=crcs_... python3 sync.py [--delete]")
    os.umask(0o077)  # The files are for their owner alone.
    db = sqlite3.connect(f"{FILE}.db", isolation_level=None, timeout=0)
    db.execute("PRAGMA locking_mode = EXCLUSIVE")  # One run at a time.
    db.execute("BEGIN EXCLUSIVE")
    db.execute("CREATE TABLE IF NOT EXISTS contacts (id TEXT PRIMARY KEY, place TEXT, contact TEXT, deleted INTEGER)")
    db.execute("COMMIT")

    # From the last place on, when one was created or released from spam. A minute earlier, since a list lags a little.
    before, since = db.execute(
        "SELECT count(*), strftime('%Y-%m-%dT%H:%M:%fZ', max(place), '-1 minute') FROM contacts"
    ).fetchone()
    query = "?order=asc&limit=200" + (f"&since={since}" if since else "")
    while query:
        link, body = call("GET", f"/api/v1/contact{query}")
        contacts = json.loads(body)
        if not isinstance(contacts, list):
            fail("the answer is no list of contact requests")
        db.execute("BEGIN")
        for contact in contacts:
            place = contact.get("releasedAt", contact["createdAt"])
            db.execute(
                "INSERT INTO contacts VALUES (?, ?, ?, 0) ON CONFLICT (id) DO UPDATE SET place = excluded.place, "
                "contact = excluded.contact, deleted = 0 WHERE contact <> excluded.contact",
                (contact["id"], place, json.dumps(contact, ensure_ascii=False, separators=(",", ":"))),
            )
        db.execute("COMMIT")
        # Of the link its query alone: so the token goes to BASE_URL and nowhere else.
        following = re.search(r'<[^>?]*([^>]+)>; rel="next"', link)
        query = following and following[1]

    with open(f"{FILE}.csv.new", "w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(COLUMNS)
        for (contact,) in db.execute("SELECT contact FROM contacts ORDER BY place, id"):
            fields = json.loads(contact)
            writer.writerow([cell(fields.get(column, "")) for column in COLUMNS])
    os.replace(f"{FILE}.csv.new", f"{FILE}.csv")  # It appears when it is complete.

    # Work of your own goes here: with --delete, for the rows WHERE NOT deleted, which it gets once, and again only when a
    # run was killed. Raise where it fails, and nothing is deleted.

    (after,) = db.execute("SELECT count(*) FROM contacts").fetchone()
    print(f"{FILE}.db has {after} contact requests, {after - before} of them new.")
    if "--delete" in sys.argv:
        processed = db.execute("SELECT id FROM contacts WHERE NOT deleted").fetchall()
        for (id,) in processed:
            call("DELETE", f"/api/v1/contact/{id}")
            db.execute("UPDATE contacts SET deleted = 1 WHERE id = ?", (id,))
        print(f"{len(processed)} were deleted at the service.")


try:
    main()
except KeyboardInterrupt:
    sys.exit(130)
except Exception as error:
    fail(f"{type(error).__name__}: {error}")
