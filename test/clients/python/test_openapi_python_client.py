"""Uses all six endpoints by the client that openapi-python-client generates."""

import os
import re
import unittest
from http import HTTPStatus
from uuid import uuid4

from contact_service import AuthenticatedClient, Client
from contact_service.api.campaigns import get_campaign, list_campaigns
from contact_service.api.contact_requests import create_contact, delete_contact, get_contact, list_contacts
from contact_service.models import (
    Campaign,
    ContactRequest,
    FieldErrorCode,
    ListContactsOrder,
    ContactRequestInput,
    ServiceError,
    ServiceErrorError,
)
from contact_service.types import UNSET, Response, Unset

SERVICE_URL = os.environ["SERVICE_URL"]
visitor = Client(base_url=SERVICE_URL, raise_on_unexpected_status=True)
staff = AuthenticatedClient(
    base_url=SERVICE_URL,
    token=os.environ["STAFF_TOKEN"],
    auth_header_name="Authentication",
    prefix="",
    raise_on_unexpected_status=True,
)


def create(body: ContactRequestInput) -> ContactRequest:
    contact = create_contact.sync(client=visitor, body=body)
    assert isinstance(contact, ContactRequest), contact
    # Only the response to a submission has it.
    assert contact.success is True
    contact.success = UNSET
    return contact


class GeneratedClient(unittest.TestCase):
    def assert_error(self, response: Response, status: HTTPStatus, error: ServiceErrorError) -> ServiceError:
        self.assertEqual(response.status_code, status)
        assert isinstance(response.parsed, ServiceError)
        self.assertEqual(response.parsed.error, error)
        return response.parsed

    def test_sends_an_email_address_or_a_phone_number_and_fields_of_its_own(self) -> None:
        message = "Zoë fragt: 你好 👋🏽\n\tשלום"
        by_email = create(ContactRequestInput(email="ada@example.com", message=message))
        self.assertEqual((by_email.email, by_email.phone, by_email.message), ("ada@example.com", UNSET, message))
        self.assertEqual(create(ContactRequestInput(phone="+1 555 0100", message="Hello!")).phone, "+1 555 0100")

        further = ContactRequestInput(email="ada@example.com", message="Hello!", first_name="Ada")
        further["form-name"] = "contact"
        further["topic"] = "An order"
        further["copies"] = 3
        further["gift"] = True
        further["colours"] = ["red", "blue"]
        kept = create(further)
        self.assertEqual((kept.first_name, kept.form), ("Ada", "contact"))
        assert not isinstance(kept.extra, Unset)
        self.assertEqual(
            kept.extra.to_dict(), {"topic": "An order", "copies": "3", "gift": "true", "colours": ["red", "blue"]}
        )

    def test_sends_an_idempotency_key(self) -> None:
        key = str(uuid4())
        body = ContactRequestInput(email="ada@example.com", message="Hello!")
        first = create_contact.sync_detailed(client=visitor, body=body, idempotency_key=key)
        again = create_contact.sync_detailed(client=visitor, body=body, idempotency_key=key)
        self.assertEqual(again.parsed, first.parsed)
        self.assertEqual(again.headers["Idempotent-Replayed"], "true")
        other = create_contact.sync_detailed(
            client=visitor, body=ContactRequestInput(phone="110", message="Hello!"), idempotency_key=key
        )
        self.assert_error(other, HTTPStatus.UNPROCESSABLE_ENTITY, ServiceErrorError.UNPROCESSABLE_CONTENT)

    def test_types_the_codes_of_errors(self) -> None:
        body = ContactRequestInput(email="nobody", company="x" * 201)
        response = create_contact.sync_detailed(client=visitor, body=body)
        error = self.assert_error(response, HTTPStatus.BAD_REQUEST, ServiceErrorError.BAD_REQUEST)
        assert not isinstance(error.details, Unset)
        codes = [detail.code for detail in error.details]
        self.assertEqual(codes, [FieldErrorCode.INVALID_EMAIL, FieldErrorCode.TOO_LONG])

    def test_follows_the_pages_of_a_list(self) -> None:
        sent = [create(ContactRequestInput(email="ada@example.com", message=message)) for message in ("One", "Two")]
        since = sent[0].created_at
        order = ListContactsOrder.ASC
        self.assertEqual(list_contacts.sync(client=staff, order=order, since=since, limit=2), sent)

        # As docs/scripts.md shows it.
        query = f"?order=asc&limit=1&since={since:%Y-%m-%dT%H:%M:%S.%fZ}"
        read: list[ContactRequest] = []
        while query:
            response = staff.get_httpx_client().get(f"/api/v1/contact{query}").raise_for_status()
            read += [ContactRequest.from_dict(contact) for contact in response.json()]
            link = re.search(r'<[^>?]*([^>]+)>; rel="next"', response.headers.get("Link", ""))
            query = link[1] if link else ""
        self.assertEqual(read, sent)

    def test_fetches_and_deletes_a_contact_request(self) -> None:
        contact = create(ContactRequestInput(email="ada@example.com", message="Hello!"))
        fetched = get_contact.sync_detailed(contact.id, client=staff)
        self.assertEqual(fetched.parsed, contact)

        deleted = delete_contact.sync_detailed(contact.id, client=staff)
        self.assertEqual((deleted.status_code, deleted.parsed), (HTTPStatus.NO_CONTENT, None))
        absent = delete_contact.sync_detailed(contact.id, client=staff)
        self.assert_error(absent, HTTPStatus.NOT_FOUND, ServiceErrorError.NOT_FOUND)

    def test_lists_and_fetches_campaigns(self) -> None:
        campaigns = list_campaigns.sync(client=staff, limit=1)
        assert isinstance(campaigns, list)
        [campaign] = campaigns
        assert isinstance(campaign, Campaign)
        self.assertEqual(get_campaign.sync(campaign.id, client=staff), campaign)


if __name__ == "__main__":
    unittest.main()
