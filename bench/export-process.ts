// Exports a table of contact requests to the standard output, and sends what that took to bench/export.ts.

import { createDocumentClient } from '../functions/shared/dynamodb.ts';
import { runStaff } from '../lib/staff/run.ts';
import { countReads } from '../test/support/count-reads.ts';

const [contacts = ''] = process.argv.slice(2);
const client = createDocumentClient();
const reads = countReads(client);

process.exitCode = await runStaff(['contacts', 'export', '--format', 'csv'], {
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  loadSettings: async () => ({ file: '', environments: {} }),
  openTables: async () => ({
    client,
    contacts,
    campaigns: '',
    tokens: '',
    now: () => new Date(),
    close: async () => client.destroy(),
  }),
  openNotifications: () => Promise.reject(new Error('Nobody is told')),
  openDeployment: () => Promise.reject(new Error('Nothing is deployed')),
  wait: async () => {},
  signal: new AbortController().signal,
});
process.send?.({ read: reads.items, peak: process.resourceUsage().maxRSS });
process.disconnect?.();
