// `npm run rehearse`: deploys the service with the real CDK CLI into an AWS emulator on this machine, tests it over
// HTTP, deploys another version over it, and takes it down. The first failure ends it all. `--only dev` or `--only prod`
// rehearses that environment alone.
import { parseArgs } from 'node:util';
import { untilStopped } from '../support/until-stopped.ts';
import { awsConsole } from './aws.ts';
import { CommandError } from './command.ts';
import { rehearseDev } from './dev.ts';
import { startEmulator } from './emulator.ts';
import { installEmulator, MissingError } from './install-emulator.ts';
import { withoutEffect } from './lacks.ts';
import { operatorOf } from './operator.ts';
import { rehearseProd } from './prod.ts';
import { withReceiver } from './receiver.ts';
import { Steps } from './steps.ts';
import { slackSecret } from './versions.ts';
import { rehearseYear } from './year/year.ts';

const { values: asked } = parseArgs({
  options: { year: { type: 'boolean', default: false }, only: { type: 'string' } },
});
const only = asked.only?.split(',');

const signal = untilStopped(20);
const steps = new Steps();
try {
  steps.say(await steps.run('Install the emulator', () => installEmulator(signal)));
  const emulator = await steps.run('Start the emulator', () => startEmulator(signal));
  try {
    steps.say(`${emulator.endpoint}, functions on Node ${process.version}`);
    await withReceiver((standard) =>
      withReceiver(async (slack) => {
        const operator = operatorOf(emulator, standard.url, signal);
        const aws = awsConsole(emulator.endpoint);
        const cast = { emulator, operator, aws, steps, signal };
        await aws.storeSecret(slackSecret, slack.url);
        await steps.run('cdk bootstrap', () => operator.bootstrap());
        if (asked.year) return rehearseYear(cast, standard, only);
        if (!only || only.includes('dev')) await rehearseDev(cast);
        if (!only || only.includes('prod')) await rehearseProd(cast, { standard, slack });
      }, emulator.certificate),
    );
    steps.notShown(...withoutEffect);
  } finally {
    await emulator.stop();
  }
  steps.print();
} catch (error) {
  process.exitCode = 1;
  const isExpected = error instanceof MissingError || error instanceof CommandError || error === signal.reason;
  console.error(isExpected && error instanceof Error ? `\n${error.message}` : error);
  if (!(error instanceof MissingError)) steps.print();
}
