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
- CloudFormation makes templates of SES: ministack has no such resource. Who sends by one is asked for the permission on the
  template, with the sender as the condition's key, and the email is kept in MAILS, too.
- The account has the Paid plan: ministack has no freetier.
- A stack takes in a bucket that is there (--import-existing-resources): ministack's validation refuses its name
  (services/cloudformation/stacks.py, _validation_errors). Without the option, the bucket's creation still fails.
- Services send to queues by TLS: ministack says the opposite to the queues' policies (core/iam_evaluator.py,
  _request_origin).
"""

import contextvars
import json
import os
import pathlib
import string
from email.utils import parseaddr
from urllib.parse import parse_qs

mails = pathlib.Path(os.environ["MAILS"])

from ministack import app
from ministack.core import iam_actions, iam_evaluator
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

provisioners.s3_bucket_name_conflict = lambda name: None

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


def create_template(logical_id, props, stack_name):
    template = props["Template"]
    name = template["TemplateName"]
    ses._templates[name] = {**template, "CreatedTimestamp": ses._iso_now()}
    return name, {}


provisioners._RESOURCE_HANDLERS["AWS::SES::Template"] = {
    "create": create_template,
    "delete": lambda name, props: ses._templates.pop(name, None),
}

SEND_TEMPLATED = "ses:SendTemplatedEmail"

arn_of, context_of = iam_actions.extract_resource_arn, iam_actions.request_tag_context


def field_of(body, name):
    return parse_qs(body.decode()).get(name, [""])[0]


def arn_of_template(service, method, path, headers, body, params, region, account_id):
    if service == "ses" and b"Action=SendTemplatedEmail" in body:
        return f"arn:aws:ses:{region}:{account_id}:template/{field_of(body, 'Template')}"
    return arn_of(service, method, path, headers, body, params, region, account_id)


def context_with_sender(service, iam_action, body, params):
    if iam_action == SEND_TEMPLATED:
        return {"ses:FromAddress": parseaddr(field_of(body, "Source"))[1]}
    return context_of(service, iam_action, body, params)


iam_actions.extract_resource_arn = arn_of_template
iam_actions.request_tag_context = context_with_sender

send_templated = ses._send_templated_email


def send_templated_and_keep(params):
    response = send_templated(params)
    if response[0] == 200:
        sent = ses._sent_emails_list()[-1]
        kept = {**sent, "ReplyTo": ses._collect_list(params, "ReplyToAddresses.member")}
        (mails / sent["MessageId"]).write_text(json.dumps({"Confirmation": kept}))
    return response


ses._send_templated_email = send_templated_and_keep


async def tell_plan(method, path, headers, body, query_params):
    plan = {"accountPlanType": "PAID", "accountPlanStatus": "ACTIVE"}
    return 200, {"Content-Type": "application/x-amz-json-1.0"}, json.dumps(plan).encode()


app.SERVICE_HANDLERS["freetier"] = tell_plan

app.main()
