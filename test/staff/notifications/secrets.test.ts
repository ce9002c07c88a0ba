import { expect, it } from 'vitest';
import { where } from '../stack.ts';
import { failure, startNotifying, targets } from './service.ts';

const name = 'Webhook5e6f7a8b';
const { address: url, secret: arn } = targets[name];
const [first, second] = ['A'.repeat(44), 'b'.repeat(44)];

const hour = 60 * 60 * 1000;

interface Version {
  readonly token: unknown;
  readonly secret: string;
  readonly createdAt: Date;
}

/** A webhook with its first secret and later ones, each made so many hours ago, and an environment's other targets. */
const startSigning = async (...ages: readonly number[]) => {
  const service = await startNotifying(['Email1a2b3c4d', 'Slack9c0d1e2f', name]);
  const versions: Version[] = ages.map((age, at) => ({
    token: at,
    secret: [first, second][at] ?? '',
    createdAt: new Date(Date.now() - age * hour),
  }));
  Object.assign(service.answers, {
    GetSecretValue: ({ SecretId, VersionStage }: Readonly<Record<string, unknown>>) => {
      const version = SecretId === arn && versions.at(VersionStage === 'AWSCURRENT' ? -1 : -2);
      if (!version) return failure('ResourceNotFoundException');
      return { body: { SecretString: version.secret, CreatedDate: version.createdAt.getTime() / 1000 } };
    },
    PutSecretValue: ({ SecretString, ClientRequestToken: token }: Readonly<Record<string, unknown>>) => {
      if (!versions.some((version) => version.token === token)) {
        versions.push({ token, secret: String(SecretString), createdAt: new Date() });
      }
      return { body: {} };
    },
  });
  const secrets = () => versions.map(({ secret }) => secret);
  const untilOf = (at: number) => new Date((versions[at]?.createdAt.getTime() ?? 0) + 24 * hour).toISOString();
  return { ...service, versions, secrets, untilOf };
};

it('prints the secret of each webhook as Standard Webhooks writes it', async () => {
  const { run } = await startSigning(100);
  const printed = { code: 0, stdout: `target  ${name}\nurl     ${url}\nsecret  whsec_${first}\n`, stderr: '' };
  expect(await run(['secret'])).toEqual(printed);
  expect(await run(['secret', name])).toEqual(printed);
});

it('prints the former secret, too, while it signs', async () => {
  const { run, untilOf } = await startSigning(100, 23);
  expect((await run(['secret'])).stdout).toContain(
    `secret  whsec_${second}\nformer  whsec_${first}\n        signs, too, until ${untilOf(1)}\n`,
  );
  expect(JSON.parse((await run(['secret', '--json'])).stdout)).toEqual([
    { target: name, url, secret: `whsec_${second}`, previous: `whsec_${first}`, previousSignsUntil: untilOf(1) },
  ]);
});

it('leaves out a former secret that no longer signs, and keeps a prefix that someone stored', async () => {
  const { run, versions } = await startSigning(100, 25);
  versions[1] = { token: 1, secret: `whsec_${second}`, createdAt: new Date(Date.now() - 25 * hour) };
  expect(JSON.parse((await run(['secret', '--json'])).stdout)).toEqual([
    { target: name, url, secret: `whsec_${second}` },
  ]);
});

it('says that there is no webhook', async () => {
  const { run } = await startNotifying(['Email1a2b3c4d', 'Slack9c0d1e2f']);
  expect(await run(['secret'])).toEqual({
    code: 1,
    stdout: '',
    stderr: '"dev" has no webhook, and other targets have no secret to sign with.\n',
  });
});

it('says that a secret is missing', async () => {
  const { run } = await startSigning();
  expect(await run(['secret'])).toEqual({
    code: 1,
    stdout: '',
    stderr: `The secret of ${name} is missing: deploy the environment again.\n`,
  });
});

it('makes a new secret, prints it alone, and says how long both sign', async () => {
  const { run, secrets, untilOf } = await startSigning(100, 25);
  const { code, stdout, stderr } = await run(['rotate', name]);
  expect(code).toBe(0);
  expect(secrets().map((secret) => `whsec_${secret}\n`)).toEqual([`whsec_${first}\n`, `whsec_${second}\n`, stdout]);
  // Base64 without padding that also reads as letters and digits alone.
  expect(stdout).toMatch(/^whsec_[A-Za-z0-9]{44}\n$/);
  const [, until = ''] = / until (\S+)\.\n$/.exec(stderr) ?? [];
  expect(stderr).toBe(
    `${where}Give it to the receiver of ${name}: within five minutes both secrets sign, until ${until}.\n`,
  );
  expect(Math.abs(Date.parse(until) - Date.parse(untilOf(2)))).toBeLessThan(60_000);
});

it('prints the new secret as JSON, another each time', async () => {
  const { run } = await startSigning(100);
  const { stdout } = await run(['rotate', name, '--json']);
  expect(JSON.parse(stdout)).toEqual({
    target: name,
    url,
    secret: expect.stringMatching(/^whsec_[A-Za-z0-9]{44}$/),
    previousSignsUntil: expect.stringMatching(/Z$/),
  });
  expect((await run(['rotate', name, '--json', '--force'])).stdout).not.toBe(stdout);
});

it('refuses to rotate within a day of the last rotation, unless forced', async () => {
  const { run, secrets, untilOf } = await startSigning(100, 23);
  expect(await run(['rotate', name])).toEqual({
    code: 1,
    stdout: '',
    stderr: `${where}${name} was rotated less than a day ago: a receiver with the former secret would refuse everything from now on. Wait until ${untilOf(1)}, or add --force.\n`,
  });
  expect(secrets()).toHaveLength(2);
  expect((await run(['rotate', name, '--force'])).code).toBe(0);
  expect(secrets()).toHaveLength(3);
});

it('makes one secret even if an answer is lost', async () => {
  const { run, secrets, answers } = await startSigning(100);
  const { PutSecretValue: put = () => undefined } = answers;
  let calls = 0;
  answers['PutSecretValue'] = (given) => {
    calls += 1;
    const answer = put(given);
    return calls === 1 ? undefined : answer;
  };
  const { code, stdout } = await run(['rotate', name]);
  expect({ code, calls }).toEqual({ code: 0, calls: 2 });
  expect(secrets().map((secret) => `whsec_${secret}\n`)).toEqual([`whsec_${first}\n`, stdout]);
});

it.each(['Webhook00000000', 'Email1a2b3c4d'])('names the webhooks if %s is none', async (other) => {
  const { run } = await startSigning(100);
  expect(await run(['rotate', other])).toEqual({
    code: 1,
    stdout: '',
    stderr: `${where}There is no webhook "${other}": choose from ${name}.\n`,
  });
});
