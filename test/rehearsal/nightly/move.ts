import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { sendOnce } from '../../acceptance/http.ts';
import { runNpmStart, runStaffCommand } from '../../acceptance/local/service.ts';
import { startReceiver } from '../../support/receiver.ts';
import { unusedUrl } from '../../support/server.ts';
import { until } from '../../support/until.ts';
import { listContacts, postContact } from '../contacts.ts';
import { deploy, destroy, expectWebhook, findAll } from '../deployed.ts';
import { operatorOf, tokenIn } from '../operator.ts';
import { firstSettings, notificationsTo } from '../settings.ts';
import type { Cast } from '../steps.ts';

const environment = 'moved';

/** A server of one's own, with the settings of the environment. */
const startServer = async (folder: string, receiver: string, signal: AbortSignal) => {
  const [port = '', inboxPort = ''] = (await Promise.all([unusedUrl(), unusedUrl()])).map((url) => new URL(url).port);
  const settingsFile = join(folder, 'settings.json');
  const { sites } = firstSettings;
  await writeFile(settingsFile, JSON.stringify({ prod: { sites, notifications: { webhooks: [{ url: receiver }] } } }));
  const variables = {
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    PORT: port,
    INBOX_PORT: inboxPort,
    DATA_DIR: join(folder, 'data'),
    CRCS_SETTINGS: settingsFile,
  };
  const { child, output, closed } = runNpmStart(variables);
  const isHealthy = async () => {
    if (child.exitCode !== null) throw new Error(output.stderr);
    const response = await sendOnce(`http://127.0.0.1:${inboxPort}/health`).catch(() => undefined);
    return response?.status === 200 || undefined;
  };
  await until('a healthy service', isHealthy, signal, { limit: 90_000, pause: 200 });
  return {
    baseUrl: variables.PUBLIC_URL,
    dataDir: variables.DATA_DIR,
    staff: async (...args: readonly string[]) => {
      const command = runStaffCommand(variables, ...args);
      await command.closed;
      assert.equal(command.child.exitCode, 0, command.output.stderr);
      return command.output.stdout;
    },
    stop: async () => {
      child.kill('SIGTERM');
      await closed;
    },
  };
};

/** How many items a run of `tables copy` copied, by table. */
const copiedIn = (printed: string): number[] =>
  [...printed.matchAll(/^(?:contacts|campaigns|tokens) +[\d,]+ +([\d,]+)$/gm)].map(([, copied = '']) =>
    Number(copied.replaceAll(',', '')),
  );

/** Moves a server of one's own to AWS, as docs/server.md does, while visitors go on sending. */
export const rehearseMove = async (cast: Cast): Promise<void> => {
  const { cloud, receiver, steps, signal } = cast;
  const folder = await mkdtemp(join(tmpdir(), 'rehearsal-move-'));
  await using ownReceiver = await startReceiver();
  try {
    const settings = { notifications: notificationsTo(receiver.url) };
    const deployed = await steps.run('cdk deploy, beside a server of its own', () =>
      deploy(cast, environment, settings),
    );
    const server = await steps.run('Start the server, and fill it', () =>
      startServer(folder, `${ownReceiver.url}/signed`, signal),
    );
    try {
      const token = tokenIn(await server.staff('tokens', 'issue', '--name', 'script', '--allow', 'all'));
      await server.staff('campaigns', 'add', 'Trade fair');
      const { staff } = operatorOf({ ...cloud, env: { ...cloud.env, DATA_DIR: server.dataDir } }, signal);
      const copy = async () => copiedIn(await staff('tables', 'copy', '--from', 'local', '--env', environment));

      await steps.run('Copy while visitors go on sending, then what came since', async () => {
        let isMoving = true;
        let sent = 0;
        const visit = async () => {
          while (isMoving) {
            sent += 1;
            await postContact(server.baseUrl, {
              email: `visitor-${sent}@example.com`,
              message: `Number ${sent}`,
              _gotcha: sent % 7 === 0 ? 'spam' : '',
            });
            await setTimeout(50);
          }
        };
        const visitors = Promise.all(Array.from({ length: 4 }, visit));
        await until('some contact requests', () => sent > 40 || undefined, signal);
        const [first = 0, ...others] = await copy();
        assert.deepEqual(others, [1, 1]);
        isMoving = false;
        await visitors;
        const [second = 0] = await copy();
        assert.equal(first + second, sent);
        assert(first > 0 && second > 0, `${first} and ${second} were copied`);
        assert.deepEqual(await copy(), [0, 0, 0]);
        steps.say(
          `${first} contact requests came with the first copy, ${second} with the second, and none with the third`,
        );
      });

      await steps.run('Find everything once, and nobody told again', async () => {
        const contacts = await listContacts(server.baseUrl, token);
        const campaigns = (await sendOnce(`${server.baseUrl}/v1/campaigns`, { headers: { Authentication: token } }))
          .body;
        assert(Array.isArray(campaigns));
        await findAll(cast, deployed, { token, contacts, campaigns });
        const isTold = () =>
          contacts.filter(({ id }) => ownReceiver.received.some(({ body }) => body.includes(id))).length > 40 ||
          undefined;
        await until('the webhooks of the server', isTold, signal);
        // The stream is in order: once this one arrives, those before it are through.
        await expectWebhook(cast, deployed, { token, contacts, campaigns });
        const told = (await receiver.received()).filter(({ body }) => contacts.some(({ id }) => body.includes(id)));
        assert.equal(told.length, 0, 'a copy was notified again');
      });
      await destroy(cast, deployed);
    } finally {
      await server.stop();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};
