// `npm run rehearse`: deploys the service with the real CDK CLI into an AWS emulator on this machine, tests it, destroys
// it, and deploys it again with its data. The first failure ends the run.
import { parseArgs } from 'node:util';
import { CommandError, untilStopped } from '../support/command.ts';
import { awsConsole } from './aws.ts';
import { credentials, emulatedCloud, installEmulator, region, startEmulator } from './emulator.ts';
import { keepUp } from './keep.ts';
import { emulatorLimits } from './limits.ts';
import { rehearseFirstFailure } from './nightly/first-failure.ts';
import { rehearseMove } from './nightly/move.ts';
import { rehearseOwnApp } from './nightly/own-app.ts';
import { rehearseRestore } from './nightly/restore.ts';
import { rehearseSettings } from './nightly/settings.ts';
import { rehearseUpgrade } from './nightly/upgrade.ts';
import { rehearseLocalUpgrade } from './nightly/upgrade-local.ts';
import { rehearseVerification } from './nightly/verify.ts';
import { operatorOf } from './operator.ts';
import { withReceiver } from './receiver.ts';
import { rehearseService } from './service.ts';
import { chatSecrets } from './settings.ts';
import { type Rehearsal, Steps } from './steps.ts';

/** Each deploys what it needs, so any of them can run alone. */
const nightly: Readonly<Record<string, (cast: Rehearsal) => Promise<void>>> = {
  upgrade: rehearseUpgrade,
  'upgrade-local': rehearseLocalUpgrade,
  settings: rehearseSettings,
  'first-failure': rehearseFirstFailure,
  restore: rehearseRestore,
  move: rehearseMove,
  'own-app': rehearseOwnApp,
  verify: rehearseVerification,
};

const usage = `npm run rehearse                      rehearse a first deployment
npm run rehearse -- --nightly         run the longer chapters instead: ${Object.keys(nightly).join(', ')}
npm run rehearse -- --only <chapter>  run only these chapters, separated by commas
npm run rehearse -- --keep            leave the emulator up at the end, to practise on it
`;

/** @throws {Error} if an option or a chapter is unknown */
const readOptions = () => {
  const { values } = parseArgs({
    options: {
      nightly: { type: 'boolean' },
      only: { type: 'string' },
      keep: { type: 'boolean' },
      help: { type: 'boolean' },
    },
  });
  const chosen = values.only?.split(',') ?? (values.nightly ? Object.keys(nightly) : []);
  const chapters = chosen.map((name) => {
    const chapter = Object.hasOwn(nightly, name) ? nightly[name] : undefined;
    if (!chapter) throw new Error(`Unknown chapter "${name}". Choose from ${Object.keys(nightly).join(', ')}.`);
    return chapter;
  });
  return { help: values.help === true, keep: values.keep === true, chapters };
};

const { help, keep, chapters } = (() => {
  try {
    return readOptions();
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    return process.exit(1);
  }
})();
if (help) {
  process.stdout.write(usage);
  process.exit();
}

const signal = untilStopped(keep ? 24 * 60 : 60);
const steps = new Steps();
try {
  const python = await steps.run('Install the emulator', () => installEmulator(signal));
  const emulator = await steps.run('Start the emulator', () => startEmulator(python, signal));
  try {
    await withReceiver(emulator.certificate, async (receiver) => {
      const cloud = emulatedCloud(emulator.endpoint, emulator.env);
      const operator = operatorOf(cloud, signal);
      const aws = awsConsole({ endpoint: emulator.endpoint, region, credentials });
      const cast = { emulator, cloud, operator, aws, receiver, steps, signal };
      for (const { kind, secret } of chatSecrets) await aws.storeSecret(secret, `${receiver.url}/${kind}?chat_id=1`);
      await steps.run('cdk bootstrap', () => operator.bootstrap());
      if (chapters.length === 0) await rehearseService(cast);
      for (const rehearse of chapters) await rehearse(cast);
      if (keep) await keepUp(cast);
    });
    steps.notShown(...emulatorLimits);
  } finally {
    await emulator.stop();
  }
} catch (error) {
  process.exitCode = 1;
  const isExpected = error instanceof CommandError || error === signal.reason;
  console.error(isExpected && error instanceof Error ? `\n${error.message}` : error);
} finally {
  steps.print();
}
