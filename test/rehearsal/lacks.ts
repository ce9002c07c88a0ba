import type { Capability } from '../acceptance/settings.ts';

/** The parts of the acceptance suite that the emulator (ministack 1.5.33) cannot pass, with the place in its source. */
export const lackedCapabilities: Readonly<Partial<Record<Capability, string>>> = {
  'malformed-http':
    'these do not come as far as the gateway: the HTTP servers before it answer them (front.ts; hypercorn, protocol/h11.py)',
  'encoded-slash': 'it decodes a path before it routes (app.py, scope["path"])',
  'foreign-signature':
    'it answers a signature that is not whole with DEFAULT_4XX (services/apigateway_v1.py, IncompleteSignature), as AWS may',
};

/** What else the rehearsal cannot show. */
export const withoutEffect: readonly string[] = [
  'a restore to a point in time: the emulator has no past, so what is restored is a backup of the moment (services/dynamodb.py, _restore_table_to_point_in_time)',
  'whether CloudFormation takes in a table that is not as its template says: the emulator takes what has the name, and is taught to do so with this kind of table (emulator_tables.py)',
  'alarms, above all those by metric math, which are made on their first metric: nothing evaluates them, and functions that read a stream or a queue have no metrics (emulator.py; services/lambda_svc.py)',
  'a redrive by StartMessageMoveTask, which the emulator lacks: the rehearsal moved the message itself (aws.ts, moveBack), after 2 tries instead of 960',
  'partial failures of a batch of stream records, which the emulator takes for success; that AWS divides a batch that fails, and what it sends to the failure destination (services/lambda_svc.py, _poll_dynamodb_streams)',
  'that the roles let Lambda read the stream, and delete messages from the queues: the emulator reads both by itself (services/lambda_svc.py)',
  'events of SES, as bounces, complaints and rejects are, and that an address has to be confirmed (services/cloudformation/provisioners.py, _ses_configuration_set_event_destination_create, _ses_email_identity_apply)',
  'the access log, metrics of the API and those counted from logs (services/apigateway_v1.py keeps accessLogSettings only)',
  'the web ACL: it is made, but what puts it before the API is a record only, since the emulator knows no AWS::WAFv2::WebACLAssociation (emulator.py)',
  'X-Ray: it has no such service',
];
