import assert from 'node:assert/strict';
import { type EnvironmentInput, stackName } from '../../lib/infrastructure/settings.ts';
import { sendTo } from '../acceptance/http.ts';
import { listContacts, postContact } from './contacts.ts';
import { withFront, withName } from './front.ts';
import type { Cast } from './steps.ts';

const environment = 'named';
const stack = stackName(environment);

const domain = (name: string) => ({
  name,
  certificateArn: 'arn:aws:acm:eu-central-1:000000000000:certificate/6a1e2c5e-0000-4000-8000-000000000000',
});

const first = domain('contact.example.com');
const second = domain('forms.example.org');

const atGateway: EnvironmentInput = {
  sites: [{ origin: 'http://localhost:8080' }],
  throttles: { public: { rate: 50, burst: 200 }, staff: { rate: 50, burst: 200 } },
  retainData: false,
  logRetentionDays: 7,
};

/** In the order of docs/operation.md, "Move to a domain of your own". */
const atBoth: EnvironmentInput = { ...atGateway, domains: [first] };
const atFirst: EnvironmentInput = { ...atGateway, domains: [first], defaultEndpoint: false };
const atTwoNames: EnvironmentInput = { ...atFirst, domains: [first, second] };
const atSecond: EnvironmentInput = { ...atGateway, domains: [second], defaultEndpoint: false };

/** Moves an environment to a domain, and from that to another: forms at the old one get answers until the end. */
export const rehearseDomain = async (cast: Cast): Promise<void> => {
  const { emulator, operator, aws, steps } = cast;
  const { endpoint } = emulator;
  const stored: string[] = [];

  const deploy = async (settings: EnvironmentInput) => {
    const { outputs } = await operator.deploy(stack, { [environment]: settings });
    return outputs;
  };
  const post = async (baseUrl: string) => {
    stored.push((await postContact(baseUrl, { email: 'visitor@example.com', message: `From ${baseUrl}` })).id);
  };
  const postTo = (...names: readonly (typeof first)[]) =>
    Promise.all(names.map(({ name }) => withName(endpoint, name, post)));

  await steps.run('A first domain, beside the URL of API Gateway', async () => {
    const { stageUrl } = await operator.deploy(stack, { [environment]: atGateway });
    const [, apiId = ''] = /restapis\/([^/]+)/.exec(stageUrl) ?? [];
    const outputs = await deploy(atBoth);
    assert.equal(outputs['BaseUrl'], `https://${first.name}`);
    assert.ok(outputs['DefaultUrl']?.includes(apiId), 'No output has the old URL');
    assert.ok(outputs['DomainTargetContactExampleCom'], 'No output has the target of the CNAME');
    await withFront(stageUrl, environment, post);
    await postTo(first);
    assert.equal(await aws.isDefaultEndpointOff(apiId), false);

    const later = await deploy(atFirst);
    assert.equal(later['DefaultUrl'], undefined);
    assert.equal(later['DomainTargetContactExampleCom'], outputs['DomainTargetContactExampleCom']);
    assert.equal(await aws.isDefaultEndpointOff(apiId), true);
    await postTo(first);
    steps.say(`Forms at either URL got answers; then defaultEndpoint: false ended the old one`);
  });

  await steps.run('From one domain to another', async () => {
    const outputs = await deploy(atTwoNames);
    assert.equal(outputs['BaseUrl'], `https://${second.name}`);
    assert.ok(
      outputs['DomainTargetContactExampleCom'] && outputs['DomainTargetFormsExampleOrg'],
      'An output with a target is missing',
    );
    await postTo(first, second);

    await deploy(atSecond);
    await postTo(second);
    await withName(endpoint, first.name, async (baseUrl) => {
      const { status } = await sendTo(`${baseUrl}/api/v1/contact`, { method: 'POST' });
      assert.ok(status >= 400 && status !== 415, `The removed domain answers ${status}`);
    });
    const token = await operator.issueToken(environment, 'contacts:read');
    await withName(endpoint, second.name, async (baseUrl) => {
      const ids = (await listContacts(baseUrl, token)).map(({ id }) => id);
      assert.deepEqual(ids.toSorted(), stored.toSorted());
    });
    steps.say(`Forms at either domain got answers; all ${stored.length} contact requests are there`);
    await operator.destroy(stack);
  });

  steps.notShown(
    'DNS and certificates of domains: the emulator finds a domain by the header Host, and needs no certificate',
    'that the URL of API Gateway ends: the emulator keeps disableExecuteApiEndpoint, and answers there all the same (services/apigateway_v1.py)',
  );
};
