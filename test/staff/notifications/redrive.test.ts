import { expect, it } from 'vitest';
import { where } from '../stack.ts';
import { startNotifying } from './service.ts';

const [email, webhook] = ['Email1a2b3c4d', 'Webhook5e6f7a8b'] as const;

/** A record of the stream, as it lies in the queues, with what nobody may see. */
const record = (id: string) =>
  JSON.stringify({ eventName: 'INSERT', dynamodb: { NewImage: { id: { S: id }, email: { S: 'ada@example.com' } } } });

/** What functions/notify/ says when it gives up. */
const givenUp = (target: string, reason: string, tries: number) => ({
  attributes: { Target: target, Reason: reason, Tries: String(tries) },
});

const ofPipe = (first: string, last: string) =>
  JSON.stringify({
    context: {
      partnerResourceArn: 'arn:aws:pipes:eu-central-1:123456789012:pipe/x',
      condition: 'RetryAttemptsExhausted',
    },
    version: '1.0',
    timestamp: '2026-03-01T12:00:00Z',
    DDBStreamBatchInfo: {
      shardId: 'shardId-00000001',
      startSequenceNumber: '1',
      endSequenceNumber: '2',
      approximateArrivalOfFirstRecord: first,
      approximateArrivalOfLastRecord: last,
      batchSize: 2,
      streamArn: 'arn:aws:dynamodb:eu-central-1:123456789012:table/x/stream/y',
    },
  });

it('sends each to its target once more, and shows how many, how often they were tried, and why they failed', async () => {
  const { aws, run } = await startNotifying([email, webhook]);
  aws.send('dead-letters', record('1'), givenUp(webhook, 'HTTP 500', 12));
  aws.send('dead-letters', record('2'), givenUp(webhook, 'HTTP 410', 1));
  aws.send('dead-letters', record('3'), givenUp(email, 'SES MessageRejected', 14));
  aws.send('dead-letters', record('4'), givenUp(webhook, 'HTTP 500', 14));
  const { code, stdout, stderr } = await run(['redrive']);
  expect(code).toBe(0);
  expect(stdout).toBe(
    [
      'TARGET           SENT  TRIES    REASON\n',
      `${email}    1     14       SES MessageRejected (1)\n`,
      `${webhook}  3     1 to 14  HTTP 500 (2), HTTP 410 (1)\n`,
    ].join(''),
  );
  expect(stderr).toBe(`${where}Sent 4 notifications again.\n`);
  expect(aws.bodiesIn(`queue-${webhook}`).toSorted()).toEqual(['1', '2', '4'].map(record));
  expect(aws.bodiesIn(`queue-${email}`)).toEqual([record('3')]);
  expect(aws.bodiesIn('dead-letters')).toEqual([]);
});

it('prints for programs what it did, and nothing of what was in them', async () => {
  const { aws, run } = await startNotifying([webhook]);
  aws.send('dead-letters', record('1'), givenUp(webhook, 'HTTP 500', 12));
  aws.send('dead-letters', record('2'), givenUp('Webhook00000000', 'ada\u202e', 12));
  aws.send('dead-letters', ofPipe('2026-03-01T12:00:00Z', '2026-03-01T12:00:05Z'));
  aws.send('dead-letters', 'no record of ada');
  const { code, stdout, stderr } = await run(['redrive', '--json']);
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toEqual({
    environment: 'dev',
    time: expect.stringMatching(/Z$/),
    targets: [{ target: webhook, sent: 1, tries: { fewest: 12, most: 12 }, reasons: { 'HTTP 500': 1 } }],
    left: {
      later: 0,
      gone: { Webhook00000000: 1 },
      pipe: { amount: 1, since: '2026-03-01T11:59:00.000Z', until: '2026-03-01T12:01:05.000Z' },
      unknown: 1,
    },
  });
  expect(stdout + stderr).not.toContain('ada');
});

it('sends to the queue that SQS names what its function never came to give up', async () => {
  const { aws, run } = await startNotifying([email, webhook]);
  aws.send('dead-letters', record('1'), { from: `arn:aws:sqs:eu-central-1:123456789012:queue-${email}` });
  const { stdout } = await run(['redrive']);
  expect(stdout).toMatch(new RegExp(`^${email} +1 +the function failed \\(1\\)$`, 'm'));
  expect(aws.bodiesIn(`queue-${email}`)).toEqual([record('1')]);
});

it('leaves what belongs to no target, looks at it once, and says what to do', async () => {
  const { aws, run } = await startNotifying([webhook]);
  for (let number = 0; number < 12; number += 1) {
    aws.send('dead-letters', record(`${number}`), givenUp('Webhook00000000', 'HTTP 500', 12));
  }
  aws.send('dead-letters', record('12'), { from: 'arn:aws:sqs:eu-central-1:123456789012:queue-of-one-before' });
  aws.send('dead-letters', ofPipe('2026-03-01T12:00:00Z', '2026-03-01T12:00:05Z'));
  aws.send('dead-letters', ofPipe('2026-03-01T11:00:00Z', '2026-03-01T11:00:05Z'));
  aws.send('dead-letters', 'something else');
  const { code, stdout, stderr } = await run(['redrive']);
  expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
  const advice =
    'which is no target any more: they can be sent once it is back in the settings, and end after 14 days (docs/operation.md, "Send again what was given up").';
  expect(stderr).toBe(
    [
      where,
      `Left 12 of Webhook00000000, ${advice}\n`,
      `Left 1 of queue-of-one-before, ${advice}\n`,
      'Left 2 messages of the pipe, which say only when those came that nobody was told: "npx crcs contacts list --since 2026-03-01T10:59:00.000Z --until 2026-03-01T12:01:05.000Z --env dev" shows them.\n',
      'Left 1 of which nobody knows what they are (docs/operation.md, "Send again what was given up").\n',
      'Sent 0 notifications again.\n',
    ].join(''),
  );
  expect(aws.bodiesIn('dead-letters')).toHaveLength(16);
  expect(aws.hiddenIn('dead-letters')).toBe(0);
  expect(aws.asked.filter((operation) => operation === 'ReceiveMessage')).toHaveLength(3);
});

it('shows a name that is none of its as text, whatever it is to a terminal', async () => {
  const { aws, run } = await startNotifying([webhook]);
  aws.send('dead-letters', record('1'), givenUp('\u001b]0;title\u0007\u202eeno', 'HTTP 500', 1));
  const { stderr } = await run(['redrive']);
  expect(stderr).toContain('Left 1 of  ]0;title  eno, which is no target any more');
});

it('sends the others when one says otherwise what became of it', async () => {
  const { aws, run } = await startNotifying([webhook]);
  aws.send('dead-letters', record('1'), { attributes: { Target: webhook, Tries: 'many' } });
  aws.send('dead-letters', record('2'), givenUp(webhook, 'HTTP 500', 1));
  const { code, stderr } = await run(['redrive']);
  expect({ code, stderr }).toMatchObject({ code: 0, stderr: expect.stringContaining('Left 1 of which nobody knows') });
  expect(aws.bodiesIn(`queue-${webhook}`)).toEqual([record('2')]);
});

it('leaves what is given up anew while it runs, and does not go round in circles', async () => {
  const { aws, run } = await startNotifying([webhook]);
  aws.send('dead-letters', record('1'), givenUp(webhook, 'HTTP 410', 1));
  aws.failBy((operation) => {
    if (operation === 'DeleteMessage')
      aws.send('dead-letters', record('1'), { ...givenUp(webhook, 'HTTP 410', 1), sentAt: Date.now() + 5000 });
    return undefined;
  });
  const { code, stdout, stderr } = await run(['redrive']);
  expect(code).toBe(0);
  expect(stdout).toMatch(new RegExp(`^${webhook} +1 +1 +HTTP 410 \\(1\\)$`, 'm'));
  expect(stderr).toContain('Left 1 that came while this ran: see why by "notifications test".\n');
  expect(aws.bodiesIn(`queue-${webhook}`)).toHaveLength(1);
  expect(aws.bodiesIn('dead-letters')).toHaveLength(1);
});

it('says so when nothing was given up', async () => {
  const { run } = await startNotifying([webhook]);
  expect(await run(['redrive'])).toEqual({ code: 0, stdout: '', stderr: `${where}There is nothing to send again.\n` });
});

it.each(['SendMessage', 'DeleteMessage', 'ReceiveMessage'])(
  'loses nothing when an answer to %s is lost, or AWS is too busy at first',
  async (operation) => {
    const { aws, run } = await startNotifying([webhook]);
    for (const id of ['1', '2', '3']) aws.send('dead-letters', record(id), givenUp(webhook, 'HTTP 500', 12));
    const faults = [
      'lost',
      { error: 'RequestThrottled', status: 403 },
      { error: 'ServiceUnavailable', status: 503 },
    ] as const;
    let tried = 0;
    aws.failBy((asked) => {
      if (asked !== operation) return undefined;
      tried += 1;
      return faults[tried - 1];
    });
    const { code, stderr } = await run(['redrive']);
    expect(code).toBe(0);
    if (operation === 'ReceiveMessage') {
      // What an answer held that was lost is hidden for a while, and told.
      expect(stderr).toContain('up to 10 messages in it: they are there again in 15 minutes.\n');
      expect(aws.bodiesIn('dead-letters')).toHaveLength(3);
      return;
    }
    expect(new Set(aws.bodiesIn(`queue-${webhook}`))).toEqual(new Set(['1', '2', '3'].map(record)));
    expect(aws.bodiesIn('dead-letters')).toEqual([]);
  },
);

it('takes nothing out that it could not send, and shows what it had sent before', async () => {
  const { aws, run } = await startNotifying([webhook]);
  for (let number = 0; number < 15; number += 1) {
    aws.send('dead-letters', record(`${number}`), givenUp(webhook, 'HTTP 500', 12));
  }
  let sent = 0;
  aws.failBy((operation) => {
    if (operation !== 'SendMessage') return undefined;
    sent += 1;
    return sent > 12 ? { error: 'AccessDenied', status: 403 } : undefined;
  });
  const { code, stdout, stderr } = await run(['redrive']);
  expect(code).toBe(1);
  expect(stdout).toMatch(new RegExp(`^${webhook} +12 +12 +HTTP 500 \\(12\\)$`, 'm'));
  expect(stderr).toMatch(/These AWS credentials may not do this: .*\n$/);
  expect(aws.bodiesIn(`queue-${webhook}`)).toHaveLength(12);
  expect(aws.bodiesIn('dead-letters')).toHaveLength(3);
  expect(aws.hiddenIn('dead-letters')).toBe(0);
});

it('says that the queue is missing', async () => {
  const { aws, run } = await startNotifying([webhook]);
  aws.failBy((operation) => (operation === 'ReceiveMessage' ? { error: 'QueueDoesNotExist' } : undefined));
  expect(await run(['redrive'])).toEqual({
    code: 1,
    stdout: '',
    stderr: `${where}A queue of this environment is missing: deploy it again (QueueDoesNotExist of AWS).\n`,
  });
});

it('stops after the batch under way at Ctrl-C, and shows what it has sent', async () => {
  const { aws, run } = await startNotifying([webhook]);
  for (let number = 0; number < 15; number += 1) {
    aws.send('dead-letters', record(`${number}`), givenUp(webhook, 'HTTP 500', 12));
  }
  const stopped = new AbortController();
  aws.failBy((operation) => {
    if (operation === 'DeleteMessage' && aws.bodiesIn('dead-letters').length === 15) stopped.abort();
    return undefined;
  });
  const { code, stdout, stderr } = await run(['redrive'], { signal: stopped.signal });
  expect(code).toBe(130);
  expect(stdout).toMatch(new RegExp(`^${webhook} +10 `, 'm'));
  expect(stderr).toBe(`${where}Stopped before the end.\n`);
  expect(aws.bodiesIn('dead-letters')).toHaveLength(5);
  expect(aws.bodiesIn(`queue-${webhook}`)).toHaveLength(10);
});

it('says what it does on a terminal while it does it', async () => {
  const { aws, run } = await startNotifying([webhook]);
  aws.send('dead-letters', record('1'), givenUp(webhook, 'HTTP 500', 12));
  const { stderr } = await run(['redrive'], { terminals: ['stderr'] });
  expect(stderr).toContain('1 notification sent again');
});
