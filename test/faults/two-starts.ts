import assert from 'node:assert/strict';
import { makeDataDir, removeDataDir, runScript } from '../acceptance/local/service.ts';
import { firstLine, type Outcome } from './outcome.ts';

const start = (dataDir: string) => runScript('local.cjs', { PORT: '0', SITE_PORT: '0', DATA_DIR: dataDir });

type Started = ReturnType<typeof start>;

const isReady = ({ child, output }: Started) =>
  new Promise<true>((resolve) => {
    child.stdout.on('data', () => {
      if (/^Staff token: \S+$/m.test(output.stdout)) resolve(true);
    });
  });

/** Starts two services on one data directory at the same moment: one serves, the other ends with a line that says why. */
export const tryTwoStarts = async (): Promise<Outcome[]> => {
  const began = performance.now();
  const dataDir = await makeDataDir();
  const both = [start(dataDir), start(dataDir)];
  const serves = await Promise.all(both.map((each) => Promise.race([isReady(each), each.closed.then(() => false)])));
  const judge = () => {
    assert.equal(serves.filter(Boolean).length, 1, 'one of the two serves');
    const loser = both[serves.indexOf(false)];
    assert.equal(loser?.child.exitCode, 1);
    assert.equal(loser.output.stdout, '');
    // It may say first that it waits for the other one.
    assert.match(loser.output.stderr, /^(?:.*waiting.*\n)?.*in use.*\n$/, 'one line that says why');
  };
  let wrong: string | undefined;
  try {
    judge();
  } catch (error) {
    wrong = `${firstLine(error)}: ${both.map(({ output }) => firstLine(output.stderr)).join(' | ')}`;
  }
  for (const { child, closed } of both) {
    child.kill('SIGTERM');
    await closed;
  }
  await removeDataDir(dataDir);
  const says = `${serves.filter(Boolean).length} serves`;
  return [{ row: 'two starts at once', column: '', says, milliseconds: performance.now() - began, wrong }];
};
