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
  'point-in-time recovery and deletion protection of tables: it ignores the replica that they are set on (services/cloudformation/provisioners.py, _ddb_global_table_create)',
  'a change of a table: it makes a new one instead (services/cloudformation/provisioners.py, _ddb_global_table_update), so the changed version changes none',
  'the filter, the form and the dead letters of notifications: a pipe publishes every record as it is, also of spam, and an e-mail is a line in a log (services/pipes.py, register_pipe; services/sns.py)',
  'the access log, metrics of the API and those counted from logs, and so the alarms and the dashboard, which are made (services/apigateway_v1.py keeps accessLogSettings only)',
  'the web ACL: it is made, but not put before the API, since the emulator knows no AWS::WAFv2::WebACLAssociation',
  'X-Ray: it has no such service',
];
