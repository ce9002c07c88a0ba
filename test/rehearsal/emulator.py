"""
Starts the emulator (ministack) with what the rehearsal needs of AWS besides:

- Sending a mail needs permission on its sender's identity, in the sandbox on its recipients', and on its configuration
  set, with the condition keys of SES. ministack asks for "*" without any key (app.py, _enforce_ses_v2).
  https://docs.aws.amazon.com/service-authorization/latest/reference/list_amazonses.html
- Mails are kept in MAILS as they were asked for: ministack's mailbox lacks the reply address (services/ses_v2.py).
- A secret that a stack makes is known by its ARN, and made without punctuation if the template says so: ministack takes
  its name, and ignores ExcludePunctuation (services/cloudformation/provisioners.py, _sm_secret_create).
- Tables are made, changed, imported and deleted as by AWS (emulator_tables.py).
- The association of a web ACL is noted, without effect: ministack has no such resource.
- An alarm on an expression is made on the first metric of it: ministack refuses it.
- Services send to queues by TLS: ministack says the opposite to the queues' policies (core/iam_evaluator.py,
  _request_origin).
"""

import contextvars
import json
import os
import pathlib
import string
from email.utils import parseaddr

mails = pathlib.Path(os.environ["MAILS"])

from ministack import app
from ministack.core import iam_evaluator
from ministack.core.responses import get_account_id, get_region
import emulator_tables
from ministack.services import secretsmanager, ses, ses_v2
from ministack.services.cloudformation import provisioners

iam_evaluator._request_origin = contextvars.ContextVar("by_tls", default=("127.0.0.1", True))

secret = provisioners._RESOURCE_HANDLERS["AWS::SecretsManager::Secret"]
create_named, delete_named = secret["create"], secret["delete"]


def create_secret(logical_id, props, stack_name):
    generate = props["GenerateSecretString"]
    if generate.get("ExcludePunctuation"):
        generate = {**generate, "ExcludeCharacters": string.punctuation}
    _name, attributes = create_named(logical_id, {**props, "GenerateSecretString": generate}, stack_name)
    return attributes["Arn"], attributes


def delete_secret(arn, props):
    name, _secret = secretsmanager._resolve(arn)
    delete_named(name, props)


secret |= {"create": create_secret, "delete": delete_secret}

provisioners._RESOURCE_HANDLERS["AWS::WAFv2::WebACLAssociation"] = {
    "create": lambda logical_id, props, stack_name: (f"{stack_name}-{logical_id}", {}),
    "delete": lambda physical_id, props: None,
}

put_alarm = provisioners._cw_metric_alarm_put


def put_alarm_without_expression(name, props):
    stats = [metric["MetricStat"] for metric in props.get("Metrics", []) if "MetricStat" in metric]
    for stat in stats[:1]:
        of_one = {**stat["Metric"], "Period": stat["Period"], "Statistic": stat["Stat"]}
        props = {**of_one, **{each: value for each, value in props.items() if each != "Metrics"}}
    return put_alarm(name, props)


provisioners._cw_metric_alarm_put = put_alarm_without_expression

SEND_EMAIL = "/v2/email/outbound-emails"


def identity_of(address):
    """The identity that SES finds for an address: its own or, where only that is there, its domain's."""
    name = address if address in ses_v2._identities else address.rpartition("@")[2]
    return f"arn:aws:ses:{get_region()}:{get_account_id()}:identity/{name}"


enforce = app._enforce_ses_v2


def enforce_with_conditions(method, path, headers, body, query_params, request_id):
    if path != SEND_EMAIL:
        return enforce(method, path, headers, body, query_params, request_id)
    mail = json.loads(body)
    sender = parseaddr(mail["FromEmailAddress"])[1]
    recipients = mail["Destination"]["ToAddresses"]
    context = {"ses:FromAddress": sender, "ses:Recipients": recipients}
    asked = [identity_of(each) for each in ([sender] if ses._production_access_enabled() else [sender, *recipients])]
    if "ConfigurationSetName" in mail:
        asked.append(ses_v2._resource_arn("configuration-set", mail["ConfigurationSetName"]))
    for resource in asked:
        denied = app._enforce_data_plane(
            "sesv2", "ses:SendEmail", headers, query_params, request_id,
            resource_arn=resource, service_context=context, named_resource=resource,
        )
        if denied:
            return denied
    return None


app._enforce_ses_v2 = enforce_with_conditions

handle = ses_v2.handle_request


async def handle_and_keep(method, path, headers, body, query_params):
    answer = await handle(method, path, headers, body, query_params)
    if path == SEND_EMAIL and answer[0] == 200:
        (mails / json.loads(answer[2])["MessageId"]).write_bytes(body)
    return answer


ses_v2.handle_request = handle_and_keep

app.main()
