#!/usr/bin/env python3
"""Nightly sync: saves every contact request once, in an SQLite database and a CSV file.

    BASE_URL=https://... STAFF_TOKEN=crcs_... python3 sync.py [--delete]

Run it as often as you like: it continues where it ended. With --delete it then deletes from the service what is saved in
both files. Add your own work where main() says so. The copies are yours to keep safe, and to erase when a person asks.

Needs Python 3.9 or later, nothing else. Smallest token: contacts:read; for --delete contacts:read,contacts:delete
"""
import csv, json, os, re, sqlite3, sys, time
from urllib.error import HTTPError
from urllib.request import HTTPRedirectHandler, Request, build_opener

BASE = os.environ.get("BASE_URL", "").rstrip("/")
TOKEN = os.environ.get("STAFF_TOKEN", "")
# Each service has its own files.
FILE = "contacts." + re.sub(r"[^\w.-]", "_", re.sub(r"^https?://", "", BASE), flags=re.ASCII)
hint = ""  # What to check, until the service has responded once.


def fail(why):
    """One line, and exit code 1. The next run continues."""
    sys.exit(" ".join(f"sync.py failed: {hint}{why}".split())[:300])


class NoRedirect(HTTPRedirectHandler):
    """A redirect would send the token elsewhere."""

    def redirect_request(self, *_):
        return None


def call(method, path, accept="application/json"):
    """Sends a request. If the service is busy, retries five times, after the wait that it asks for (a minute at most)."""
    global hint
    request = Request(BASE + path, method=method, headers={"Authentication": TOKEN, "Accept": accept})
    for tries_left in reversed(range(6)):
        try:
            with build_opener(NoRedirect).open(request, timeout=30) as answer:
                return answer.headers.get("Link", ""), answer.read()
        except HTTPError as error:
            if error.code == 404 and path.startswith("/api/v1/contact/"):
                return "", b""  # Already deleted.
            wait = error.headers.get("Retry-After", "")
            if error.code not in (429, 503) or not tries_left or not wait.isdigit() or int(wait) > 60:
                if error.code == 429 or error.code >= 500:
                    hint = ""
                fail(f"{error.code} {error.read().decode(errors='replace')}")
            time.sleep(int(wait))


def columns_of_service():
    """The columns of the service's own CSV, so that the file has every field that the service has."""
    _, body = call("GET", "/api/v1/contact?limit=1", "text/csv")
    columns = body.decode(errors="replace").split("\r\n")[0].split(",")
    if columns[:2] != ["id", "createdAt"]:
        fail("the response is not a list of contact requests")
    return columns


def page(query):
    """A page of contact requests, and the query of the next page."""
    link, body = call("GET", f"/api/v1/contact{query}")
    # Only the query of the link, so that the token goes nowhere but to BASE_URL.
    following = re.search(r'<[^>?]*([^>]+)>; rel="next"', link)
    return json.loads(body), following and following[1]


# What LibreOffice and Excel read as true or false.
BOOLEANS = set(
    "TRUE FALSE WAHR FALSCH VRAI FAUX VERDADERO VERDADEIRO FALSO VERO WAAR ONWAAR SANT FALSKT SAND FALSK SANN USANN "
    "TOSI EPÄTOSI PRAWDA FAŁSZ PRAVDA NEPRAVDA IGAZ HAMIS ADEVĂRAT FALS TOČNO NETOČNO TAČNO NETAČNO ТАЧНО НЕТАЧНО "
    "TÕENE VÄÄR TEISINGAI NETEISINGAI PATIESS APLAMS DOĞRU YANLIŞ ИСТИНА ЛОЖЬ ІСТИНА БРЕХНЯ ВЯРНО НЕВЯРНО "
    "ΣΩΣΤΌ ΛΆΘΟΣ BENAR SALAH ĐÚNG SAI صح خطأ صحيح خاطئ درست نادرست सही गलत จริง เท็จ 참 거짓 真 假".split()
)


def is_plain(text):
    """Whether every spreadsheet shows this text as it is, and not as a formula, a number, a date or a truth value."""
    if re.match(r"""(?:["']|[^\S\t\r\n])*[=+\-@＝＋－＠]|'""", text):
        return False
    if not re.search(r"\d", text):
        return text.strip().upper() not in BOOLEANS
    if re.fullmatch("0|[1-9][0-9]{0,10}", text) or "@" in text or "://" in text:
        return True
    return sum(map(str.isalpha, text)) >= 30  # No date has as many letters.


def cell(column, value):
    """Puts an apostrophe before text that a spreadsheet would change. Programs should read the database."""
    if column in ("id", "createdAt", "releasedAt"):
        return value
    if column == "files":
        value = "; ".join(file["name"] for file in value)
    formula = r"""([,;\t\r\n])((?:["']|[^\S\t\r\n])*)([=+\-@＝＋－＠])"""  # A spreadsheet may split the text before it.
    if isinstance(value, str):
        return ("" if is_plain(value) else "'") + re.sub(formula, r"\1'\2\3", value)
    return re.sub(formula, lambda found: f"{found[1]}{found[2]}\\u{ord(found[3]):04x}", json.dumps(value, ensure_ascii=False))


def main():
    global hint
    if sys.argv[1:] not in ([], ["--delete"]) or not re.match("https?://", BASE) or not re.fullmatch("[!-~]+", TOKEN):
        fail("usage: BASE_URL=https://... STAFF_TOKEN=crcs_... python3 sync.py [--delete]")
    hint = "check BASE_URL and STAFF_TOKEN: "
    columns = columns_of_service()  # Before there are files: a wrong BASE_URL leaves none.
    hint = ""
    os.umask(0o077)  # Only the owner can read the files.
    db = sqlite3.connect(f"{FILE}.db", isolation_level=None, timeout=0)
    db.execute("PRAGMA locking_mode = EXCLUSIVE")  # One run at a time.
    db.execute("BEGIN EXCLUSIVE")
    db.execute("CREATE TABLE IF NOT EXISTS contacts (id TEXT PRIMARY KEY, place TEXT, contact TEXT, deleted INTEGER)")
    db.execute("COMMIT")

    # `place` is when it was created or released from spam. Begin a minute before the last one: a list can lag a little.
    before, since = db.execute(
        "SELECT count(*), strftime('%Y-%m-%dT%H:%M:%fZ', max(place), '-1 minute') FROM contacts"
    ).fetchone()
    query = "?order=asc&limit=200" + (f"&since={since}" if since else "")
    while query:
        contacts, query = page(query)
        db.execute("BEGIN")
        for contact in contacts:
            place = contact.get("releasedAt", contact["createdAt"])
            db.execute(
                "INSERT INTO contacts VALUES (?, ?, ?, 0) ON CONFLICT (id) DO UPDATE SET place = excluded.place, "
                "contact = excluded.contact, deleted = 0 WHERE contact <> excluded.contact",
                (contact["id"], place, json.dumps(contact, ensure_ascii=False, separators=(",", ":"))),
            )
        db.execute("COMMIT")

    with open(f"{FILE}.csv.new", "w", encoding="utf-8-sig", newline="") as file:  # Excel needs the byte order mark.
        writer = csv.writer(file)
        writer.writerow(columns)
        for (contact,) in db.execute("SELECT contact FROM contacts ORDER BY place, id"):
            fields = json.loads(contact)
            writer.writerow([cell(column, fields.get(column, "")) for column in columns])
    os.replace(f"{FILE}.csv.new", f"{FILE}.csv")  # The file appears only when it is complete.

    # Add your own work here. With --delete, take the rows WHERE NOT deleted: each comes once, or again if a run was killed.
    # If your work fails, raise: then nothing is deleted.

    (after,) = db.execute("SELECT count(*) FROM contacts").fetchone()
    print(f"{FILE}.db has {after} contact requests, {after - before} of them new.")
    if "--delete" in sys.argv:
        processed = db.execute("SELECT id FROM contacts WHERE NOT deleted").fetchall()
        for (id,) in processed:
            call("DELETE", f"/api/v1/contact/{id}")
            db.execute("UPDATE contacts SET deleted = 1 WHERE id = ?", (id,))
        print(f"{len(processed)} deleted from the service.")


try:
    main()
except KeyboardInterrupt:
    sys.exit(130)
except Exception as error:
    fail(f"{type(error).__name__}: {error}")
