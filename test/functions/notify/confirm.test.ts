import { describe, expect, it, vi } from 'vitest';
import { listKeys } from '../../../functions/contacts/contacts-table.ts';
import { releaseContact } from '../../../functions/contacts/manage-contacts.ts';
import { LoggableError } from '../../../functions/shared/calls.ts';
import { startConfirm } from '../../support/confirmations.ts';
import { germanSite, idIn, minimal } from '../../support/contacts.ts';
import { logLines, logText } from '../../support/log.ts';
import { again, done } from '../../support/notifications.ts';
import { client, putAll } from '../../support/tables.ts';

const noon = new Date('2026-03-01T12:00:00.000Z');
const hour = 3_600_000;
const later = (milliseconds: number) => new Date(noon.getTime() + milliseconds);

/** Everything that a visitor can write, with what an abuser would put there. */
const abusive = {
  message: 'Buy at https://evil.example/pills <a href="https://evil.example">now</a>',
  firstName: 'Win $1000 www.evil.example',
  lastName: 'a\r\nBcc: everyone@example.org',
  company: '\u202egro.elpmaxe\u202c {{site}} {time}',
  phone: '+1 202 555 0142',
  subject: 'Evil subject',
  utm_campaign: 'evil-campaign',
  evil: 'another evil field',
};

it('confirms with a template, the site, the time and the beginning of the id, and with no word of the visitor', async () => {
  const { submit, sent } = await startConfirm();
  const id = await submit({ ...abusive, email: 'Ada@example.org' });
  expect(sent).toStrictEqual([
    {
      to: 'Ada@example.org',
      template: 'english',
      values: { site: 'www.example.com', time: '1 March 2026 at 12:00:00 UTC', reference: id.slice(0, 8) },
    },
  ]);
  expect(logLines()).toContainEqual(
    expect.objectContaining({ level: 'info', message: 'confirmation sent', contactId: id, tries: 1 }),
  );
  expect(logText()).not.toMatch(/ada@|Ada|[Ee]vil/);
});

it.each([
  [{ 'form-name': 'order' }, 'german-order'],
  [{ 'form-name': 'contact' }, 'german'],
  [{}, 'german'],
])('a confirmation has the language of the site, and the words of the form, of %j', async (form, template) => {
  const { submit, sent } = await startConfirm();
  await submit({ ...minimal, ...form }, germanSite.origin);
  expect(sent).toMatchObject([{ template, values: { site: 'www.example.de', time: '1. März 2026 um 12:00:00 UTC' } }]);
});

it('names the site only if the environment has it still', async () => {
  const { submit, sent } = await startConfirm();
  await submit(minimal, 'https://shop.example.com');
  expect(sent).toMatchObject([{ template: 'english', values: { site: 'example.com' } }]);
});

const reasonsIn = () =>
  logLines().flatMap((line) => (Object(line).ConfirmationsSkipped === 1 ? [String(Object(line).Reason)] : []));

describe('an address gets one confirmation in a day', () => {
  it.each([
    ['Ada@Example.org', 'ada@example.ORG'],
    ['ada@example.org', 'ada+1@example.org'],
    ['ada+a+b@example.org', 'ADA+c@example.org'],
  ])('%s is the mailbox of %s, too', async (first, second) => {
    const { submit, sent } = await startConfirm();
    await submit({ ...minimal, email: first });
    await submit({ ...minimal, email: second });
    expect(sent.map(({ to }) => to)).toStrictEqual([first]);
    expect(reasonsIn()).toStrictEqual(['sent already']);
  });

  it('and another one a day later', async () => {
    let time = noon;
    const { submit, sent } = await startConfirm({ now: () => time });
    for (const at of [0, 24 * hour - 1000, 24 * hour]) {
      time = later(at);
      await submit(minimal);
    }
    expect(sent).toHaveLength(2);
  });
});

it('keeps no address, but a hash that nobody can make without the key', async () => {
  const keptWith = async (key: string) => {
    const { submit, kept } = await startConfirm({ addressKey: async () => key });
    await submit(minimal);
    return (await kept()).map(({ id }) => String(id)).toSorted();
  };
  const ofHour = `hour ${noon.getTime() / hour}`;
  const hash = expect.stringMatching(/^[\w-]{43}$/);
  const one = await keptWith('one key');
  expect(one).toEqual(expect.arrayContaining([hash, ofHour]));
  expect(one).toHaveLength(2);
  expect(await keptWith('another key')).not.toEqual(one);
});

it('begins no more confirmations in an hour than the cap, and the next hour more', async () => {
  let time = noon;
  const { submit, sent } = await startConfirm({ perHour: 3, now: () => time });
  for (let at = 0; at < 5; at += 1) await submit({ ...minimal, email: `ada${at}@example.org` });
  expect(sent).toHaveLength(3);
  expect(reasonsIn()).toStrictEqual(['cap', 'cap']);
  time = later(hour);
  await submit({ ...minimal, email: 'new@example.org' });
  expect(sent).toHaveLength(4);
});

it('a flood of one address costs one write each and none of the hour, and one of many addresses two each', async () => {
  const { submit, sent, requests } = await startConfirm({ perHour: 5 });
  const counted = async (address: (at: number) => string, times: number) => {
    const before = requests();
    for (let at = 0; at < times; at += 1) await submit({ ...minimal, email: address(at) });
    return requests() - before;
  };
  // Besides the read of the contact request.
  expect(await counted((at) => `ada+${at}@example.org`, 10)).toBe(2 * 10 + 1);
  expect(await counted((at) => `ada${at}@example.org`, 10)).toBe(3 * 10);
  expect(sent).toHaveLength(5);
  expect(reasonsIn()).toHaveLength(15);
});

describe('gets no confirmation', () => {
  it.each([
    ...['postmaster', 'MAILER-DAEMON', 'no-reply', 'noreply', 'do_not_reply', 'no.reply.shop', 'abuse', 'bounces'],
    ...['bounce-4711=ada', 'root', 'owner-list', 'list-request', 'webmaster+a', 'Unsubscribe', 'list-join'],
  ])('the role %s', async (name) => {
    const { submit, sent } = await startConfirm();
    await submit({ ...minimal, email: `${name}@example.org` });
    expect(sent).toStrictEqual([]);
    expect(reasonsIn()).toStrictEqual(['role address']);
  });

  it.each(['CONTACT@example.com', 'me+form@example.com'])('%s of the service itself', async (email) => {
    const { submit, sent } = await startConfirm();
    await submit({ ...minimal, email });
    expect(sent).toStrictEqual([]);
    expect(reasonsIn()).toStrictEqual(['own address']);
  });

  it.each(['a..b@example.org', '.a@example.org', 'a@localhost', 'a=?utf-8?q?b?=@example.org'])(
    '%s, to which SES cannot send',
    async (email) => {
      const { submit, sent } = await startConfirm();
      await submit({ ...minimal, email });
      expect(sent).toStrictEqual([]);
      expect(reasonsIn()).toStrictEqual(['no address']);
    },
  );

  it.each(['"Buy now https://evil.example"@example.org', 'ada(evil)@example.org', 'Ada <ada@example.org>'])(
    '%s, which is no address here',
    async (email) => {
      const { contacts, sent } = await startConfirm();
      expect(await contacts.post({ ...minimal, email })).toMatchObject({ status: 400 });
      expect(sent).toStrictEqual([]);
    },
  );

  it('an address that was found by its value alone, which can be somebody else’s', async () => {
    const { submit, sent } = await startConfirm();
    await submit({ message: 'Hello', field_7: 'ada@example.org' });
    expect(sent).toStrictEqual([]);
  });

  it.each([
    ['that nothing proved', { captcha: undefined }],
    ['whose captcha could not be checked', { captcha: async () => 'unknown' as const }],
    ['whose proof is too easy', { captcha: undefined, spam: { traps: [], requireTrap: false, proofBits: 16 } }],
    ['of another form', { confirmation: false, forms: new Map([['order', { confirmation: true }]]) }],
    ['of a form without', { forms: new Map([[undefined, { confirmation: false }]]) }],
    ['that is spam', { captcha: async () => 'unsolved' as const }],
  ])('a contact request %s', async (_, settings) => {
    const { submit, sent } = await startConfirm({ settings });
    await submit(minimal);
    expect(sent).toStrictEqual([]);
  });

  it('a contact request that staff release from spam', async () => {
    const { contacts, announce, submit, sent } = await startConfirm();
    const id = await submit({ ...minimal, _gotcha: 'filled' });
    await releaseContact({ client, table: contacts.table }, id, later(60_000));
    expect(await announce(id, 'MODIFY')).toStrictEqual([]);
    expect(sent).toStrictEqual([]);
  });

  it('a contact request that is copied or restored', async () => {
    const { contacts, announce } = await startConfirm();
    const id = idIn(await contacts.post(minimal));
    expect(await announce(id, 'INSERT', later(2 * 60_000))).toStrictEqual([]);
    expect(await announce(id)).toHaveLength(1);
  });

  it.each<[reason: string, more: object]>([
    ['changed', { releasedAt: later(1000).toISOString() }],
    ['spam', { listPartition: 'spam' }],
    ['gone', { expiresAt: noon.getTime() / 1000 }],
  ])('a contact request that has become %s before its message comes', async (reason, more) => {
    const { contacts, announce, deliver, sent } = await startConfirm();
    const id = idIn(await contacts.post(minimal));
    const [message] = await announce(id);
    const createdAt = noon.toISOString();
    await putAll(contacts.table, [{ id, createdAt, ...minimal, ...listKeys({ id, createdAt }, false), ...more }]);
    expect(await deliver(message ?? '')).toStrictEqual(done);
    expect(sent).toStrictEqual([]);
    expect(reasonsIn()).toStrictEqual([reason]);
  });

  it('a contact request that is older than a day', async () => {
    let time = noon;
    const { contacts, announce, deliver, sent } = await startConfirm({ now: () => time });
    const [message] = await announce(idIn(await contacts.post(minimal)));
    time = later(24 * hour + 1);
    expect(await deliver(message ?? '')).toStrictEqual(done);
    expect(sent).toStrictEqual([]);
    expect(reasonsIn()).toStrictEqual(['too old']);
  });
});

it('a replay, a second message and a redrive confirm nothing twice', async () => {
  const { contacts, announce, deliver, sent } = await startConfirm();
  const key = { 'Idempotency-Key': 'k' };
  const id = idIn(await contacts.post(minimal, key));
  const [message] = await announce(id);
  await deliver(message ?? '');
  expect(idIn(await contacts.post(minimal, key))).toBe(id);
  for (let time = 0; time < 3; time += 1) expect(await deliver(message ?? '')).toStrictEqual(done);
  expect(sent).toHaveLength(1);
});

describe('if SES', () => {
  it('sends nothing, a retry sends it', async () => {
    const send = vi.fn().mockRejectedValueOnce(new LoggableError('SES Throttling')).mockResolvedValue('sent');
    const { contacts, announce, deliver, sent } = await startConfirm({ send });
    const id = idIn(await contacts.post(minimal));
    const [message] = await announce(id);
    expect(await deliver(message ?? '')).toStrictEqual(again);
    expect(logLines()).toContainEqual(expect.objectContaining({ NotificationsFailed: 1, Target: 'Confirmation' }));
    expect(logLines()).toContainEqual(
      expect.objectContaining({ message: 'confirmation failed', contactId: id, reason: 'SES Throttling' }),
    );
    expect(await deliver(message ?? '')).toStrictEqual(done);
    expect(sent).toHaveLength(1);
    expect(logText()).not.toContain('ada@');
  });

  it('sends nothing, tries take none of the hour, and the hash of the address still expires', async () => {
    const send = vi.fn().mockRejectedValue(new LoggableError('SES Throttling'));
    const { contacts, announce, deliver, submit, sent, kept } = await startConfirm({ perHour: 2, send });
    const [message] = await announce(idIn(await contacts.post(minimal)));
    for (let time = 0; time < 3; time += 1) expect(await deliver(message ?? '')).toStrictEqual(again);
    // DynamoDB never removes what expired more than five years ago.
    for (const { expiresAt } of await kept()) expect(expiresAt).toBeGreaterThanOrEqual(noon.getTime() / 1000);
    send.mockResolvedValue('sent');
    for (const email of ['grace@example.org', 'alan@example.org', 'late@example.org'])
      await submit({ ...minimal, email });
    expect(sent.map(({ to }) => to)).toStrictEqual(['grace@example.org', 'alan@example.org']);
  });

  it.each(['paused', 'rejected', 'no response'] as const)(
    'says %s, the message is done, and no retry sends it',
    async (outcome) => {
      const { contacts, announce, deliver } = await startConfirm({ send: async () => outcome });
      const [message] = await announce(idIn(await contacts.post(minimal)));
      expect(await deliver(message ?? '')).toStrictEqual(done);
      expect(await deliver(message ?? '')).toStrictEqual(done);
      expect(reasonsIn()).toStrictEqual([outcome, 'sent already']);
    },
  );
});

it.each([
  ['one attempt of the SDK', 'finalizeRequest', [done]],
  ['all of them', 'initialize', [again, done]],
] as const)('confirms if the response to %s that takes the address is lost', async (_, step, results) => {
  const { client: ofConfirm, contacts, announce, deliver, sent } = await startConfirm();
  const [message] = await announce(idIn(await contacts.post(minimal)));
  let responses = 0;
  const losing =
    <Args, Response>(next: (args: Args) => Promise<Response>) =>
    async (args: Args): Promise<Response> => {
      const response = await next(args);
      responses += 1;
      // The first response is the contact request.
      if (responses === 2) throw Object.assign(new Error('late'), { name: 'TimeoutError' });
      return response;
    };
  if (step === 'initialize') ofConfirm.middlewareStack.add(losing, { step });
  else ofConfirm.middlewareStack.add(losing, { step, priority: 'low' });
  for (const result of results) expect(await deliver(message ?? '')).toStrictEqual(result);
  expect(sent).toHaveLength(1);
  expect(await deliver(message ?? '')).toStrictEqual(done);
  expect(sent).toHaveLength(1);
});

it('what is marked for a confirmation shows nowhere outside', async () => {
  const { contacts } = await startConfirm();
  const created = await contacts.post(minimal);
  const id = idIn(created);
  const listed = await contacts.list();
  const shown = [created, await contacts.get({ pathParameters: { id } }), listed];
  for (const { text } of shown) expect(text).not.toMatch(/confirm|due/);
});

it('leaves an unreadable message in its queue', async () => {
  const { deliver } = await startConfirm();
  expect(await deliver('{}')).toStrictEqual(again);
});
