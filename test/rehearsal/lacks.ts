import type { Capability } from '../acceptance/settings.ts';

/** What of the acceptance suite the emulator (ministack 1.5.33) cannot pass, and which place in its source is why. */
export const lackedCapabilities: Readonly<Partial<Record<Capability, string>>> = {
  'malformed-http':
    'these do not come as far as the gateway: the HTTP servers before it answer them (front.ts; hypercorn, protocol/h11.py)',
  'encoded-slash': 'it decodes a path before it routes (app.py, scope["path"])',
  'foreign-signature':
    'it answers a signature that is not whole with DEFAULT_4XX (services/apigateway_v1.py, IncompleteSignature), as AWS may',
};

/** What else the rehearsal does not show, since the emulator takes it without effect. */
export const withoutEffect: readonly string[] = [
  'a restore to a point in time: the emulator has no past, so what is restored is a backup of the moment (services/dynamodb.py, _restore_table_to_point_in_time)',
  'whether CloudFormation takes in a table that is not as its template says: the emulator takes what has the name, and is taught to do so with this kind of table (emulator_tables.py)',
  'that the pipe of a table which was restored under its old name gets the stream that it has now: CloudFormation is to read it, as the emulator does (services/cloudformation/provisioners.py, _ddb_attrs)',
  'the filter of notifications: a pipe publishes every record, also of spam and of a deletion, and the functions leave those out (services/pipes.py, _deliver_batch)',
  'what AWS itself may do for notifications, and what it does when it cannot: the role, retries and dead letters of the pipe, the policy and key of its topic, the reading of a queue as its function (services/pipes.py, _publish_record_to_sns; services/lambda_svc.py, _poll_sqs)',
  'that SES has an address confirmed, and what bounces: an identity is confirmed as it is made (services/cloudformation/provisioners.py, _ses_email_identity_apply)',
  'the access log, metrics of the API and those counted from logs, and so the alarms, which are made (services/apigateway_v1.py keeps accessLogSettings only)',
  'the web ACL: it is made, but what puts it before the API is a record only, since the emulator knows no AWS::WAFv2::WebACLAssociation (emulator.py)',
  'the budget, which the emulator does not know (emulator.py)',
  'X-Ray: it has no such service',
];
