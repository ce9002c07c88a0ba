import * as v from 'valibot';
import { contactList, createdContact } from '../acceptance/contact.ts';
import { makeDataDir, removeDataDir, runStaffCommand, startService } from '../acceptance/local/service.ts';

/** The service as `npm start` runs it, as its visitors and its operator see it. */
export const startTestService = async () => {
  const dataDir = await makeDataDir();
  const { baseUrl, staffToken, end } = await startService(dataDir);

  const staff = async (...args: string[]): Promise<string> => {
    const { child, output, closed } = runStaffCommand({ DATA_DIR: dataDir }, ...args);
    await closed;
    if (child.exitCode !== 0) throw new Error(`staff ${args.join(' ')}: ${output.stderr}`);
    return output.stdout;
  };
  const send = (path: string, method = 'GET') =>
    fetch(`${baseUrl}${path}`, { method, headers: { Authentication: staffToken } });
  const list = async (spam = false) =>
    v.parse(contactList, await (await send(`/api/v1/contact?order=asc&limit=200&spam=${spam}`)).json());
  const remove = (id: string) => send(`/api/v1/contact/${id}`, 'DELETE');
  /** A visitor's contact request. */
  const post = async (fields: object = {}) => {
    const response = await fetch(`${baseUrl}/api/v1/contact`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ email: 'ada@example.com', message: 'Hello', ...fields }),
    });
    return v.parse(createdContact, await response.json());
  };

  return {
    baseUrl,
    /** It may do everything. */
    staffToken,
    staff,
    list,
    remove,
    post,
    /** A bot's, which is marked as spam. */
    postSpam: () => post({ _gotcha: 'x' }),
    /** A token that may do these things and nothing else. */
    issueToken: async (allow: string) => {
      const [token] = /^crcs_\S+$/m.exec(await staff('tokens', 'issue', '--name', allow, '--allow', allow)) ?? [];
      return String(token);
    },
    empty: async () => {
      for (const { id } of [...(await list()), ...(await list(true))]) await remove(id);
    },
    stop: async () => {
      await end('SIGTERM');
      await removeDataDir(dataDir);
    },
  };
};

export type TestService = Awaited<ReturnType<typeof startTestService>>;
