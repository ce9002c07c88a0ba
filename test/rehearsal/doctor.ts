import assert from 'node:assert/strict';
import type { EnvironmentInput } from '../../lib/infrastructure/settings.ts';
import { stackName } from '../../lib/infrastructure/stack-name.ts';
import { serve } from '../support/server.ts';
import { accessOf } from './doctor/access.ts';
import { ask, lasting, othersOf } from './doctor/ask.ts';
import { breakAndAsk } from './doctor/break.ts';
import { follow } from './doctor/follow.ts';
import { askWithLess } from './doctor/less.ts';
import { withReceiver } from './receiver.ts';
import type { Cast } from './steps.ts';

const environment = 'clinic';
const stack = stackName(environment);

const settingsFor = (site: string, webhook: string): EnvironmentInput => ({
  sites: [{ origin: site, thankYouUrl: `${site}/thanks` }],
  throttles: { public: { rate: 50, burst: 200 }, staff: { rate: 50, burst: 200 } },
  webAcl: true,
  retainData: true,
  logRetentionDays: 7,
  alarmEmails: ['operations@example.com'],
  notifications: { from: 'contact@example.com', emails: ['inbox@example.com'], webhooks: [{ url: webhook }] },
});

/** Has the doctor look at an environment of its own: as it is, with little permission, and with this and that broken. */
export const rehearseDoctor = async (cast: Cast): Promise<void> => {
  const { operator, aws, steps } = cast;
  let page = '';
  await using site = await serve((_, response) => {
    response.writeHead(200, { 'Content-Type': 'text/html' }).end(page);
  });
  await withReceiver(async (receiver) => {
    const deployed = await steps.run(`cdk deploy ${stack}`, () =>
      operator.deploy(stack, { [environment]: settingsFor(site.url, receiver.url) }),
    );
    const baseUrl = deployed.outputs['BaseUrl'] ?? '';
    page = `<form method="post" action="${baseUrl}/api/v1/contact"><textarea name="message"></textarea></form>`;

    await steps.run('Ask the doctor, and do what it says', async () => {
      const found = await ask(cast, environment);
      for (const [check, what, why] of lasting) {
        assert.ok(
          found.some((each) => each.check === check && what.test(each.what)),
          `Not found of ${check}: does the emulator lack it?`,
        );
        steps.notShown(`that the doctor finds nothing wrong of ${check}: ${why}`);
      }
      await follow(accessOf(cast), othersOf(found));
      assert.deepEqual(othersOf(await ask(cast, environment)), []);
      steps.say(
        `${othersOf(found).length} findings, of a first deployment, which is not protected: after what the doctor says to type there is none`,
      );
    });
    await steps.run('Ask the doctor with little permission', () => askWithLess(cast, environment));
    await steps.run('Break this and that, and ask the doctor', () => {
      page = page.replace(baseUrl, 'https://old.example.com/prod');
      return breakAndAsk(cast, environment, deployed, receiver);
    });
    steps.notShown(
      'what the doctor finds of certificates, of addresses that are not confirmed and of unused tokens: the emulator confirms each address and writes no access log, and there is no domain',
    );
    await steps.run(`cdk destroy ${stack}`, async () => {
      await aws.liftTerminationProtection(stack);
      await operator.destroy(stack);
    });
  });
};
