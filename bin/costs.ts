// What the service costs in a month: `npm run costs -- --contacts 1000000 --lists 10000 --waf`.
import { CostsError, costs } from '../lib/costs/command.ts';

try {
  process.stdout.write(costs(process.argv.slice(2)));
} catch (error) {
  if (!(error instanceof CostsError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
