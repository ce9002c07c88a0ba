// Exports a table of contact requests to the standard output, and sends what that took to bench/export.ts.

import { createDocumentClient } from '../functions/shared/dynamodb.ts';
import { runStaff } from '../lib/staff/cli.ts';
import { countReads } from '../test/support/count-reads.ts';

const [contacts = ''] = process.argv.slice(2);
const client = createDocumentClient();
const reads = countReads(client);

process.exitCode = await runStaff(['contacts', 'export', '--format', 'csv'], {
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  loadSettings: async () => ({ file: '', environments: {} }),
  openEnvironment: async () => ({
    name: 'local',
    chosenBy: '--env local',
    isLocal: true,
    outputs: {},
    settings: { version: '', retainData: false },
    tables: { contacts, campaigns: '', tokens: '' },
    dynamodb: client,
    client: () => {
      throw new Error('There is no AWS');
    },
    resources: async () => [],
    now: () => new Date(),
    close: async () => client.destroy(),
  }),
  wait: async () => {},
  signal: new AbortController().signal,
});
process.send?.({ read: reads.items, peak: process.resourceUsage().maxRSS });
process.disconnect?.();
