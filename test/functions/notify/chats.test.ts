import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { deliverToChat } from '../../../functions/notify/chat.ts';
import { chats } from '../../../functions/notify/chats.ts';
import { notificationOf } from '../../../functions/notify/deliver.ts';
import { createPost } from '../../../functions/notify/post.ts';
import { chatKinds } from '../../../functions/notify/target.ts';
import { failureOf, noTimeout } from '../../support/notifications.ts';
import { startReceiver } from '../../support/receiver.ts';
import { exampleContact } from '../../support/stored-contacts.ts';

/** Delivers a notification. @returns why that failed */
const deliverTo = (chat: Parameters<typeof deliverToChat>[0], url: string) =>
  failureOf(
    deliverToChat(
      chat,
      async () => url,
      { environment: 'prod', subjects: new Map() },
      createPost(noTimeout),
    )(notificationOf(exampleContact)),
  );

const all = Object.values(chats);

/** What Discord asks for: https://docs.discord.com/developers/reference#user-agent. The others want any. */
const agents = new Map([['Discord', /^DiscordBot \([^,]+, \d[\d.]*\)$/]]);

it.each(all)(
  '$product gets JSON at the URL of the secret, unsigned, from a user agent that it accepts',
  async (chat) => {
    const agent = agents.get(chat.product) ?? /./;
    await using receiver = await startReceiver((response, { headers: { 'user-agent': given = '' } }) =>
      response.writeHead(agent.test(given) ? 200 : 403).end('{"ok":true}'),
    );
    expect(await deliverTo(chat, `${receiver.url}/a/b?c=d`)).toBeUndefined();
    const [{ path, headers = {}, body = '' } = {}, ...others] = receiver.received;
    expect([others, path]).toStrictEqual([[], expect.stringMatching(/^\/a\/b(?=\?|$)/)]);
    expect(headers).toMatchObject({ 'content-type': 'application/json' });
    expect(Object.keys(headers).filter((name) => name.startsWith('webhook-'))).toStrictEqual([]);
    expect(JSON.stringify(JSON.parse(body))).toContain('Contact request from Grace Hopper');
  },
);

// How a visitor could mention somebody or format something depends on the product.
it.each(chatKinds)('%s has tests of its message', (kind) => {
  expect(existsSync(join(import.meta.dirname, `${kind}.test.ts`))).toBe(true);
});

it.each(all)('$product gets a retry after 429, and the reason to log does not have its URL', async (chat) => {
  await using receiver = await startReceiver((response) => response.writeHead(429, { 'Retry-After': '3' }).end());
  expect(await deliverTo(chat, `${receiver.url}/a-secret-path?chat_id=a-secret-id`)).toBe('HTTP 429');
});
