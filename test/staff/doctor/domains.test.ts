import dns from 'node:dns';
import * as v from 'valibot';
import { expect, it, vi } from 'vitest';
import { day, fault, startWorld } from './world.ts';

// This machine, under which name nothing listens: no test leads away from it.
const domain = '127.0.0.2';

/** Has this machine know no name. */
const findNoName = () =>
  vi.spyOn(dns, 'lookup').mockImplementation((...args: unknown[]) => {
    const { lookup } = v.parse(v.object({ lookup: v.function() }), { lookup: args.at(-1) });
    lookup(Object.assign(new Error('getaddrinfo ENOTFOUND'), { code: 'ENOTFOUND' }));
  });

const withDomain = async () => {
  const world = await startWorld();
  world.resources.push(['AWS::ApiGateway::DomainName', 'Domain01234567', domain]);
  world.outputs['DomainTargetContactExampleCom'] = 'd-abc.execute-api.eu-central-1.amazonaws.com';
  return world;
};

it('finds a name of its own that leads nowhere', async () => {
  const world = await withDomain();
  expect(await world.foundBy('base URLs')).toEqual([
    'wrong: https://127.0.0.2 cannot be reached: ECONNREFUSED. -> docs/operation.md#move-to-a-domain-of-your-own',
  ]);
});

it('finds a name that has no address', async () => {
  const world = await withDomain();
  world.resources.push(['AWS::ApiGateway::DomainName', 'Domain76543210', 'contact.example.com']);
  findNoName();
  expect(await world.foundBy('base URLs')).toContain(
    'wrong: https://contact.example.com cannot be reached: its name has no address. -> docs/operation.md#move-to-a-domain-of-your-own',
  );
});

it.each([
  [200, '<html>Parked</html>'],
  [401, '<html>Log in</html>'],
  [403, '{"message":"Forbidden"}'],
])('finds that something else answers, with %i', async (status, body) => {
  const world = await startWorld();
  Object.assign(world.api, { status, body });
  expect(await world.foundBy('base URLs')).toEqual([
    `wrong: ${world.url}/dev does not answer as this service does: HTTP ${status}. -> docs/operation.md#move-to-a-domain-of-your-own`,
  ]);
});

it("says of AWS's own name that a deployment puts it back", async () => {
  const world = await startWorld();
  world.outputs['DefaultUrl'] = 'https://abc.execute-api.localhost/dev';
  findNoName();
  expect(await world.foundBy('base URLs')).toEqual([
    'wrong: https://abc.execute-api.localhost/dev cannot be reached: its name has no address. -> npx cdk deploy ContactService-dev --revert-drift',
  ]);
});

it('finds that nothing answers in time', async () => {
  const world = await startWorld();
  world.silent.add('api');
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  let found: string[] | undefined;
  const finding = world.foundBy('base URLs').then((all) => {
    found = all;
  });
  while (!found) await vi.advanceTimersByTimeAsync(100);
  await finding;
  expect(found).toEqual([
    `wrong: ${world.url}/dev cannot be reached: no answer in 10 seconds. -> docs/operation.md#move-to-a-domain-of-your-own`,
  ]);
});

it.each([
  [
    { Status: 'ISSUED', NotAfter: (Date.now() + 10.5 * day) / 1000 },
    'ends in 10 days and has not been renewed',
    'renewal',
  ],
  [{ Status: 'ISSUED', NotAfter: (Date.now() - day) / 1000 }, 'has expired', 'renewal'],
  [
    {
      Status: 'ISSUED',
      NotAfter: (Date.now() + 50 * day) / 1000,
      RenewalSummary: { RenewalStatus: 'PENDING_VALIDATION' },
    },
    'cannot be renewed (PENDING_VALIDATION)',
    'renewal',
  ],
  [{ Status: 'REVOKED' }, 'is in the state REVOKED', 'describe-certificate'],
])('finds a certificate that %o', async (certificate, what, remedy) => {
  const world = await withDomain();
  world.answers['acm:DescribeCertificate'] = () => ({ Certificate: certificate });
  const [found = '', ...more] = await world.foundBy('certificates');
  expect(more).toEqual([]);
  expect(found).toContain(`wrong: The certificate of ${domain} ${what}. -> `);
  expect(found).toContain(remedy);
});

it('finds nothing in a certificate that goes on', async () => {
  const world = await withDomain();
  expect(await world.foundBy('certificates')).toEqual([]);
});

it('finds a domain that is not there, or not ready', async () => {
  const world = await withDomain();
  world.answers['apigateway:GET'] = () => fault('NotFoundException', 'Invalid domain name identifier specified', 404);
  expect(await world.foundBy('certificates')).toEqual([
    `wrong: API Gateway does not know the domain ${domain}. -> npx cdk deploy ContactService-dev --revert-drift`,
  ]);
  world.answers['apigateway:GET'] = () => ({ domainNameStatus: 'PENDING_OWNERSHIP_VERIFICATION' });
  expect(await world.foundBy('certificates')).toEqual([
    `wrong: The domain ${domain} is in the state PENDING_OWNERSHIP_VERIFICATION. -> aws apigateway get-domain-name --domain-name ${domain} --region eu-central-1`,
  ]);
});
