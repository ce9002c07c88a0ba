import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as v from 'valibot';
import { buildPackage } from '../../../lib/package/build.ts';
import { appEnvironment, blocksOf, makeApp, shellIn } from '../../package/own-app.ts';
import { listContacts, postContact } from '../contacts.ts';
import { tokenIn } from '../operator.ts';
import { cacheDir } from '../settings.ts';
import type { Cast } from '../steps.ts';

/** As docs/deploy.md has it. */
const stack = 'MySiteStack';

const outputs = v.object({ [stack]: v.object({ BaseUrl: v.string(), FormAction: v.string() }) });

/** Takes the service into someone else's CDK app, and deploys it by the commands of docs/deploy.md. */
export const rehearseOwnApp = async (cast: Cast): Promise<void> => {
  const { cloud, aws, steps, signal } = cast;
  const folder = await mkdtemp(join(tmpdir(), 'rehearsal-own-app-'));
  try {
    const app = await steps.run('A new CDK app takes in the package', async () =>
      makeApp(folder, await buildPackage(join(cacheDir, 'package')), signal),
    );
    const unattended = { CDK_REQUIRE_APPROVAL: 'never', CDK_OUTPUTS_FILE: 'outputs.json' };
    const shell = shellIn(app, { ...appEnvironment, ...cloud.env, ...unattended }, signal);
    const [deploy, staff] = await blocksOf('Deploy it');
    const [issue = '', list = ''] = staff?.text.split('\n') ?? [];

    await steps.run(
      `Deploy ${stack}, post to it, and read it by a token and by npx --no-install crcs --stack`,
      async () => {
        await shell(deploy?.text ?? '');
        const { BaseUrl, FormAction } = v.parse(outputs, JSON.parse(await readFile(join(app, 'outputs.json'), 'utf8')))[
          stack
        ];
        assert.equal(FormAction, `${BaseUrl}/api/v1/contact`);
        await cloud.withApi(BaseUrl, async (baseUrl) => {
          const { id } = await postContact(baseUrl, { email: 'ada@example.com', message: 'From an app of its own' });
          const listed = await listContacts(baseUrl, tokenIn(await shell(issue)));
          assert.deepEqual(
            listed.map((contact) => contact.id),
            [id],
          );
          assert.match(await shell(list), new RegExp(id));
        });
      },
    );

    await steps.run(`cdk destroy ${stack}`, async () => {
      await shell('npx cdk destroy --force');
      assert.equal((await aws.tablesOf(stack)).length, 3);
    });
  } finally {
    await rm(folder, { recursive: true });
  }
};
