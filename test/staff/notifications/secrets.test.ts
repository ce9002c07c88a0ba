import { expect, it } from 'vitest';
import { where } from '../stack.ts';
import { startNotifying, targets } from './service.ts';

const name = 'Webhook5e6f7a8b';
const { address: url, secret: arn } = targets[name];
const [first, second] = ['A'.repeat(44), 'b'.repeat(44)];

const hour = 60 * 60 * 1000;
const hoursAgo = (hours: number) => new Date(Date.now() - hours * hour);

/** A webhook with its first secret, and those that took its place: each so many hours ago. */
const startSigning = async (...ages: readonly number[]) => {
  const service = await startNotifying(['Email1a2b3c4d', name]);
  const versions = ages.map((age, at) => ({
    token: `${at}`,
    secret: [first, second][at] ?? '',
    createdAt: hoursAgo(age),
  }));
  service.aws.secrets.set(arn, versions);
  return service;
};

it('prints the secret of each signed webhook, as Standard Webhooks writes it', async () => {
  const { run } = await startSigning(100);
  expect(await run(['secret'])).toEqual({
    code: 0,
    stdout: `target  ${name}\nurl     ${url}\nsecret  whsec_${first}\n`,
    stderr: '',
  });
});

it('prints one that somebody stored with its prefix as it is', async () => {
  const { aws, run } = await startSigning();
  aws.secrets.set(arn, [{ token: '0', secret: `whsec_${first}`, createdAt: hoursAgo(100) }]);
  expect((await run(['secret'])).stdout).toContain(`secret  whsec_${first}\n`);
});

it('prints the one before, too, while it signs', async () => {
  const { aws, run } = await startSigning(100, 23);
  const until = new Date((aws.secrets.get(arn)?.[1]?.createdAt.getTime() ?? 0) + 24 * hour).toISOString();
  expect((await run(['secret'])).stdout).toContain(
    `secret  whsec_${second}\nbefore  whsec_${first}\n        signs, too, until ${until}\n`,
  );
  expect(JSON.parse((await run(['secret', '--json'])).stdout)).toEqual([
    { target: name, url, secret: `whsec_${second}`, previous: `whsec_${first}`, previousSignsUntil: until },
  ]);
});

it('prints the one before no more when it signs no more', async () => {
  const { run } = await startSigning(100, 25);
  expect(JSON.parse((await run(['secret', '--json'])).stdout)).toEqual([
    { target: name, url, secret: `whsec_${second}` },
  ]);
});

it('says that no target has a secret', async () => {
  const { run } = await startNotifying(['Email1a2b3c4d', 'Webhook9c0d1e2f']);
  expect(await run(['secret'])).toEqual({
    code: 1,
    stdout: '',
    stderr: 'No target of "dev" has a secret: only webhooks of the format standard have.\n',
  });
});

it('says that a secret is missing', async () => {
  const { run } = await startNotifying([name]);
  expect(await run(['secret'])).toEqual({
    code: 1,
    stdout: '',
    stderr: `The secret of ${name} is missing: deploy the environment again.\n`,
  });
});

it('makes a new secret, prints it alone, and says how long the one before signs', async () => {
  const { aws, run } = await startSigning(1);
  const begin = Date.now();
  const { code, stdout, stderr } = await run(['rotate', name]);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^whsec_[A-Za-z0-9]{44}\n$/);
  const versions = aws.secrets.get(arn) ?? [];
  expect(versions.map(({ secret }) => `whsec_${secret}\n`)).toEqual([`whsec_${first}\n`, stdout]);
  // 33 bytes, so that nothing is left over for another way to write it.
  expect(Buffer.from(stdout.trim().slice(6), 'base64').toString('base64')).toBe(stdout.trim().slice(6));
  const [, until = ''] = / until (\S+)\.\n$/.exec(stderr) ?? [];
  expect(stderr).toBe(
    `${where}Give it to the receiver of ${name}: from five minutes on everything is signed with both, until ${until}.\n`,
  );
  expect(Date.parse(until) - begin).toBeGreaterThanOrEqual(24 * hour);
});

it('prints for programs what it made', async () => {
  const { run } = await startSigning(1);
  const { stdout } = await run(['rotate', name, '--json']);
  expect(JSON.parse(stdout)).toEqual({
    target: name,
    url,
    secret: expect.stringMatching(/^whsec_[A-Za-z0-9]{44}$/),
    previousSignsUntil: expect.stringMatching(/Z$/),
  });
});

it('makes another each time', async () => {
  const { run } = await startSigning(1);
  const all = [];
  for (let time = 0; time < 5; time += 1) all.push((await run(['rotate', name, '--force'])).stdout);
  expect(new Set(all).size).toBe(5);
});

it('makes none while the one before signs, but when it is forced to', async () => {
  const { aws, run } = await startSigning(100, 23);
  const until = new Date((aws.secrets.get(arn)?.[1]?.createdAt.getTime() ?? 0) + 24 * hour).toISOString();
  expect(await run(['rotate', name])).toEqual({
    code: 1,
    stdout: '',
    stderr: `${where}${name} was rotated less than a day ago: a receiver that still has the secret before would refuse what it gets from now on. Wait until ${until}, or add --force.\n`,
  });
  expect(aws.secrets.get(arn)).toHaveLength(2);
  expect((await run(['rotate', name, '--force'])).code).toBe(0);
  expect(aws.secrets.get(arn)).toHaveLength(3);
});

it('makes one a day after the last', async () => {
  const { run } = await startSigning(100, 25);
  expect((await run(['rotate', name])).code).toBe(0);
});

it('makes one secret where an answer is lost, or AWS is too busy at first', async () => {
  const { aws, run } = await startSigning(1);
  const faults = ['lost', 'lost', { error: 'ThrottlingException' }, { error: 'ThrottlingException' }] as const;
  let tried = 0;
  aws.failBy((operation) => {
    if (operation !== 'PutSecretValue') return undefined;
    tried += 1;
    return faults[tried - 1];
  });
  const { code, stdout } = await run(['rotate', name]);
  expect(code).toBe(0);
  expect(tried).toBe(5);
  expect(aws.secrets.get(arn)?.map(({ secret }) => `whsec_${secret}\n`)).toEqual([`whsec_${first}\n`, stdout]);
});

it.each([
  ['Webhook00000000', `There is no target "Webhook00000000": those of "dev" with one are ${name}.`],
  ['Email1a2b3c4d', `Email1a2b3c4d has no secret: those of "dev" with one are ${name}.`],
])('knows no secret of %s', async (other, line) => {
  const { run } = await startSigning(1);
  expect(await run(['rotate', other])).toMatchObject({ code: 1, stdout: '', stderr: `${where}${line}\n` });
});
