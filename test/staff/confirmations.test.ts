import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { startDeployed, where } from './deployed.ts';

/** An environment with confirmations. */
const start = async (isStopped: boolean) => {
  const deployed = await startDeployed();
  Object.assign(deployed.outputs, { ConfirmFunction: 'confirm', ConfirmationSet: 'the-set' });
  deployed.responses['ses:GetConfigurationSet'] = () => ({ SendingOptions: { SendingEnabled: !isStopped } });
  deployed.responses['ses:PutConfigurationSetSendingOptions'] = () => ({});
  return deployed;
};

it('turns confirmations on again, and says when an alarm can stop them the next time', async () => {
  const { run, asked } = await start(true);
  const line = 'Confirmations are on again.';
  expect(await run(['confirmations', 'resume'])).toEqual({
    code: 0,
    stdout: '',
    stderr: `${where}${line} An alarm can stop them again only after it has ended: look at its state in a day.\n`,
  });
  expect(asked.slice(-2)).toEqual([
    ['ses:GetConfigurationSet', { name: 'the-set' }],
    ['ses:PutConfigurationSetSendingOptions', { name: 'the-set', SendingEnabled: true }],
  ]);
  expect(readFileSync('docs/confirmation.md', 'utf8')).toContain(`\`${line}\``);
});

it('changes nothing if they were not stopped', async () => {
  const { run, asked } = await start(false);
  expect(await run(['confirmations', 'resume', '--json'])).toMatchObject({
    code: 0,
    stdout: '{"environment":"dev","resumed":false}\n',
  });
  expect(asked.map(([action]) => action)).not.toContain('ses:PutConfigurationSetSendingOptions');
});

it('names the missing setting', async () => {
  const { run } = await startDeployed();
  expect(await run(['confirmations', 'resume'])).toMatchObject({
    code: 1,
    stderr: `${where}"dev" sends no confirmations: set confirmation (see docs/confirmation.md) and deploy.\n`,
  });
});
