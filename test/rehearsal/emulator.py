"""
Starts the emulator (ministack) with what the rehearsal needs of AWS besides:

- Roles may limit SendEmail by conditions, which ministack never meets: it asks for "*" without any key (app.py,
  _enforce_ses_v2). Here it asks for no permission to send a mail.
- Mails are kept in MAILS as they were asked for: ministack's mailbox lacks the reply address (services/ses_v2.py).
- A secret that a stack makes is known by its ARN, and made without punctuation if the template says so: ministack takes
  its name, and ignores ExcludePunctuation (services/cloudformation/provisioners.py, _sm_secret_create).
- Tables are made, changed, imported and deleted as by AWS (emulator_tables.py).
- The association of a web ACL is noted, without effect: ministack has no such resource.
- An alarm on an expression is made on the first metric of it: ministack refuses it.
- The account has the Paid plan: ministack has no freetier.
- Services send to queues by TLS: ministack says the opposite to the queues' policies (core/iam_evaluator.py,
  _request_origin).
"""

import contextvars
import json
import os
import pathlib
import string

mails = pathlib.Path(os.environ["MAILS"])

from ministack import app
from ministack.core import iam_evaluator
import emulator_tables
from ministack.services import secretsmanager, ses_v2
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


enforce = app._enforce_ses_v2


def enforce_others(method, path, *request):
    return None if path == SEND_EMAIL else enforce(method, path, *request)


app._enforce_ses_v2 = enforce_others

handle = ses_v2.handle_request


async def handle_and_keep(method, path, headers, body, query_params):
    response = await handle(method, path, headers, body, query_params)
    if path == SEND_EMAIL and response[0] == 200:
        (mails / json.loads(response[2])["MessageId"]).write_bytes(body)
    return response


ses_v2.handle_request = handle_and_keep


async def tell_plan(method, path, headers, body, query_params):
    plan = {"accountPlanType": "PAID", "accountPlanStatus": "ACTIVE"}
    return 200, {"Content-Type": "application/x-amz-json-1.0"}, json.dumps(plan).encode()


app.SERVICE_HANDLERS["freetier"] = tell_plan

app.main()
