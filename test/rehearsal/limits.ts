import type { Capability } from '../acceptance/settings.ts';
import type { Hidden } from '../verify/observation.ts';

/** The parts of the acceptance suite that the emulator (ministack 1.5.33) cannot pass, with the place in its source. */
export const lackedCapabilities: Readonly<Partial<Record<Capability, string>>> = {
  'malformed-http':
    'the HTTP servers before the gateway respond to these requests (front.ts; hypercorn, protocol/h11.py)',
  'encoded-slash': 'it decodes a path before it routes (app.py, scope["path"])',
  'foreign-signature':
    'it responds to an incomplete signature with DEFAULT_4XX (services/apigateway_v1.py, IncompleteSignature), as AWS may',
  preflight: 'it ignores the response template of a mock integration (services/apigateway_v1.py, _invoke_mock_v1)',
};

/** What `npm run verify` cannot observe in the emulator. */
export const hiddenByEmulator: Hidden = {
  tls: 'its front end is not API Gateway (front.ts)',
  throttling: 'it has no throttles of a stage (services/apigateway_v1.py)',
  authorizer: 'an authorizer without concurrency is no error there (services/apigateway_v1.py)',
  'access-log': 'it writes none (services/apigateway_v1.py)',
  metrics: 'it has no metrics of the API, and none counted from logs (services/apigateway_v1.py)',
  states: 'nothing evaluates alarms (services/cloudwatch.py)',
  drift: 'it looks for secrets by their names, and the rehearsal knows them by their ARNs (emulator.py)',
};

/** Other gaps of the rehearsal, with the reason for each. */
export const emulatorLimits: readonly string[] = [
  'restoring to a point in time: the emulator restores a backup of the moment (services/dynamodb.py, _restore_table_to_point_in_time)',
  'whether CloudFormation imports a table that differs from its template: the emulator imports any table of the name (emulator_tables.py)',
  'alarms: nothing evaluates them, and functions that read a stream or a queue have no metrics (emulator.py; services/lambda_svc.py)',
  'a redrive by StartMessageMoveTask, which the emulator lacks: the rehearsal moves the message itself (aws.ts, moveBack), after 2 tries instead of 960',
  'partial failures of a batch of stream records, and what AWS sends to the failure destination (services/lambda_svc.py, _poll_dynamodb_streams)',
  'that the roles let Lambda read the stream and delete messages from the queues: the emulator reads both by itself (services/lambda_svc.py)',
  'that SES refuses a stopped configuration set (services/ses.py, _send_templated_email)',
  'SES events (bounces and complaints), and that addresses must be confirmed (services/cloudformation/provisioners.py)',
  'the access log, metrics of the API, and metrics counted from logs (services/apigateway_v1.py)',
  'refused contact requests, which the doctor counts: queries of logs know no `stats` (services/cloudwatch_logs.py, _start_query)',
  'the scan of files: the emulator has no GuardDuty Malware Protection',
  'the web ACL: it is created, but never stands before the API (emulator.py)',
  'DNS and certificates of custom domains; X-Ray',
];
