// Serves a data directory until it is ended: a process for a test to kill. Prints the store's address and its tables.
import { startHost } from '../../../lib/local/host/host.ts';

const [dataDir = '', directory = '', stackName = ''] = process.argv.slice(2);

const host = await startHost({ dataDir, synthesize: async () => ({ directory, stackName }), port: 0 });
process.once('SIGTERM', async () => {
  await host.close();
  process.exit();
});
console.log(JSON.stringify({ store: host.store, tables: host.outputs }));
