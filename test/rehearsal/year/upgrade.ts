import { testAcceptance } from '../acceptance.ts';
import { operatorOf } from '../operator.ts';
import { firstSettings, type Year } from './home.ts';
import { layOutPrevious } from './previous.ts';

/** Deploys the previous version, with data, and this one over it. */
export const upgrade = async ({ cast, home }: Year): Promise<void> => {
  const { emulator, steps, signal } = cast;
  const previous = await steps.run('Lay out the previous version', () => layOutPrevious(signal));
  if (!previous) {
    steps.notShown('an upgrade of the previous version: the history of git is not here (a clone of all of it has it)');
    return;
  }
  await steps.run(`Deploy ${previous.version}, and fill it`, () =>
    home.settle(firstSettings, operatorOf(emulator, { standard: '', slack: '' }, signal, previous)),
  );
  // As the upgrade notes say: what is stored lies in ten partitions.
  await steps.run('Deploy this version over it', () => home.deploy({ ...firstSettings, listShards: 10 }));
  await steps.run('Acceptance suite, after the upgrade', () => home.test(testAcceptance));
};
