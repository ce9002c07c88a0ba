import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as v from 'valibot';
import { buildPackage } from '../../lib/package/build.ts';
import { appEnvironment, blocksOf, makeApp, shellIn } from '../package/own-app.ts';
import { cacheDir } from './command.ts';
import { listContacts, postContact } from './contacts.ts';
import { withFront } from './front.ts';
import { stageUrlOf, tokenIn } from './operator.ts';
import type { Cast } from './steps.ts';

/** As docs/own-app.md has it. */
const stack = 'MySiteStack';

const outputs = v.object({ [stack]: v.object({ BaseUrl: v.string(), FormAction: v.string() }) });

/** Takes the service into a CDK app of somebody else's, deploys that and works with it, by the commands of docs/own-app.md. */
export const rehearseOwnApp = async (cast: Cast): Promise<void> => {
  const { emulator, aws, steps, signal } = cast;
  const folder = await mkdtemp(join(tmpdir(), 'rehearsal-own-app-'));
  try {
    const app = await steps.run('A new CDK app takes in the package', async () => {
      const archive = await buildPackage(join(cacheDir, 'package'));
      return makeApp('JavaScript', folder, archive, signal);
    });
    const shell = shellIn(
      app,
      {
        ...appEnvironment,
        ...emulator.env,
        ...emulator.clockEnv,
        // Nobody is there to be asked.
        CDK_REQUIRE_APPROVAL: 'never',
        CDK_OUTPUTS_FILE: 'outputs.json',
      },
      signal,
    );
    const [deploy, staff] = await blocksOf('Deploy it');
    // What comes after them would ask for the example's site, which is not on this machine.
    const [issue = '', list = ''] = staff?.text.split('\n') ?? [];

    const { BaseUrl, FormAction } = await steps.run(`cdk deploy ${stack}`, async () => {
      await shell(deploy?.text ?? '');
      return v.parse(outputs, JSON.parse(await readFile(join(app, 'outputs.json'), 'utf8')))[stack];
    });
    assert.equal(FormAction, `${BaseUrl}/api/v1/contact`);

    await steps.run('Post to it, and read it by a token and by npx crcs --stack', () =>
      withFront(stageUrlOf(emulator.endpoint, BaseUrl), 'prod', async (baseUrl) => {
        const { id } = await postContact(baseUrl, { email: 'ada@example.com', message: 'From an app of its own' });
        const token = tokenIn(await shell(issue));
        assert.deepEqual(
          (await listContacts(baseUrl, token)).map((contact) => contact.id),
          [id],
        );
        assert.match(await shell(list), new RegExp(id));
        steps.say('The staff command came with the package, and finds the service by its stack');
      }),
    );

    await steps.run(`cdk destroy ${stack}`, async () => {
      await shell('npx cdk destroy --force');
      assert.equal((await aws.tablesOf(stack)).length, 3);
      steps.say('Its tables stay, since retainData is on');
    });
  } finally {
    await rm(folder, { recursive: true });
  }
};
