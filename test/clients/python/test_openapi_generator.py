"""Uses all six endpoints by the client that openapi-generator generates."""

import os
import re
import unittest
from urllib.parse import parse_qs, urlsplit
from uuid import uuid4

from openapi_client import ApiClient, ApiException, CampaignsApi, Configuration, ContactRequest, ContactRequestInput
from openapi_client.api import ContactRequestsApi

SERVICE_URL = os.environ["SERVICE_URL"]
visitor = ContactRequestsApi(ApiClient(Configuration(host=SERVICE_URL)))
with_token = ApiClient(Configuration(host=SERVICE_URL, api_key={"token": os.environ["STAFF_TOKEN"]}))
staff = ContactRequestsApi(with_token)
campaigns = CampaignsApi(with_token)


def create(**fields: object) -> ContactRequest:
    contact = visitor.create_contact(ContactRequestInput.from_dict({"email": "ada@example.com", **fields}))
    # Only the response to a submission has it.
    assert contact.success is True
    contact.success = None
    return contact


class OpenapiGenerator(unittest.TestCase):
    def assert_error(self, error: ApiException, status: int, reason: str) -> None:
        self.assertEqual((error.status, error.data.error), (status, reason))

    def test_sends_a_message_in_any_script_and_fields_of_its_own(self) -> None:
        contact = create(message="Zoë fragt: 你好 👋🏽\n\tשלום", topic="An order", colours=["red", "blue"], copies=3)
        self.assertEqual(contact.message, "Zoë fragt: 你好 👋🏽\n\tשלום")
        extra = {name: value.actual_instance for name, value in contact.extra.items()}
        self.assertEqual(extra, {"topic": "An order", "colours": ["red", "blue"], "copies": "3"})

    def test_sends_an_idempotency_key(self) -> None:
        key = str(uuid4())
        body = ContactRequestInput(email="ada@example.com", message="Hello!")
        first = visitor.create_contact(body, idempotency_key=key)
        self.assertEqual(visitor.create_contact(body, idempotency_key=key), first)

    def test_gets_errors_with_their_codes(self) -> None:
        with self.assertRaises(ApiException) as raised:
            create(email="nobody")
        self.assert_error(raised.exception, 400, "Bad Request")
        self.assertEqual([each.code for each in raised.exception.data.details], ["invalid_email"])

    def test_follows_the_pages_of_a_list(self) -> None:
        sent = [create(message=message) for message in ("One", "Two", "Three")]
        read: list[ContactRequest] = []
        cursor = until = None
        while True:
            page = staff.list_contacts_with_http_info(
                limit=1, order="asc", cursor=cursor, since=sent[0].created_at, until=until
            )
            read += page.data
            link = re.search(r'<([^>]+)>; rel="next"', page.headers.get("Link", ""))
            if not link:
                break
            query = parse_qs(urlsplit(link[1]).query)
            [cursor], [until] = query["cursor"], query["until"]
        self.assertEqual(read, sent)

    def test_fetches_and_deletes_a_contact_request(self) -> None:
        contact = create(message="Hello!")
        self.assertEqual(staff.get_contact(contact.id), contact)
        staff.delete_contact(contact.id)
        with self.assertRaises(ApiException) as raised:
            staff.delete_contact(contact.id)
        self.assert_error(raised.exception, 404, "Not Found")

    def test_lists_and_fetches_campaigns(self) -> None:
        [campaign] = campaigns.list_campaigns(limit=1)
        self.assertEqual(campaigns.get_campaign(campaign.id), campaign)


if __name__ == "__main__":
    unittest.main()
