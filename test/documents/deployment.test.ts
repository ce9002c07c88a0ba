import { readFileSync } from 'node:fs';
import * as v from 'valibot';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { findingsOf, type StackState } from '../../lib/infrastructure/guard.ts';
import { type EnvironmentInput, parseEnvironment, stackName } from '../../lib/infrastructure/settings.ts';
import { createdContact } from '../acceptance/contact.ts';
import { assemblyOf, bare } from '../infrastructure/synthesize.ts';
import { blocksIn, codesIn, sectionOf, tablesIn } from '../support/markdown.ts';

const firstDeployment = readFileSync('docs/first-deployment.md', 'utf8');
const deploy = readFileSync('docs/deploy.md', 'utf8');

/** The shown outputs of a stack, by their names. */
const shownOutputs = (stack: string): Record<string, string> =>
  Object.fromEntries(
    [...firstDeployment.matchAll(new RegExp(`^${stack}\\.(\\w+) = (.*)$`, 'gm'))].map(([, name = '', value = '']) => [
      name,
      value,
    ]),
  );

const withOutputs = v.object({ Outputs: v.record(v.string(), v.object({ Value: v.unknown() })) });

/** The outputs of an environment's first deployment, by their names. */
const outputsOf = (name: string, environment: EnvironmentInput) => {
  const assembly = assemblyOf({ [name]: environment }, { firstDeployments: new Set([name]) });
  const { Outputs } = v.parse(withOutputs, assembly.getStackByName(stackName(name)).template);
  return new Map(Object.entries(Outputs).map(([output, { Value }]) => [output, Value]));
};

/** An output `Settings`, which begins with the version. */
const settingsIn = (value: unknown): unknown => {
  const { version: _, ...settings } = v.parse(
    v.pipe(v.string(), v.parseJson(), v.looseObject({ version: v.string() })),
    value,
  );
  return settings;
};

test('the first deployment shows settings of dev, and the outputs of a stack that has them', () => {
  const [block = ''] = blocksIn(firstDeployment, 'ts');
  // YAML reads such an object of JavaScript.
  const { dev } = v.parse(
    v.object({ dev: v.looseObject({ sites: v.array(v.object({ origin: v.string() })) }) }),
    parse(`{${block}}`),
  );
  const outputs = outputsOf('dev', dev);
  const shown = shownOutputs('ContactService-dev');
  expect(Object.keys(shown)).toEqual([...outputs.keys()].toSorted());
  expect(settingsIn(shown['Settings'])).toEqual(settingsIn(outputs.get('Settings')));
  for (const table of ['ContactsTable', 'CampaignsTable', 'TokensTable']) {
    const { Ref } = v.parse(v.object({ Ref: v.string() }), outputs.get(table));
    expect(shown[table]).toMatch(new RegExp(`^ContactService-dev-${Ref}-`));
  }
});

test('the first deployment shows the output that asks for a second one', () => {
  const outputs = outputsOf('prod', { ...bare, retainData: true });
  expect(shownOutputs('ContactService-prod')).toEqual({ NextStep: outputs.get('NextStep') });
});

test('the first deployment shows a response with a contact request', () => {
  const [response = ''] = blocksIn(firstDeployment, 'json');
  expect(v.parse(createdContact, JSON.parse(response))).toMatchObject({ email: 'ada@example.com' });
});

test('the first deployment names the sum for an environment without notifications', () => {
  const [firstRow] = tablesIn(sectionOf(readFileSync('docs/costs.md', 'utf8'), 'Costs a month')).flat();
  expect(firstDeployment).toContain(`$${firstRow?.[1]}`);
});

const tables = { contacts: 'Contacts', campaigns: 'Campaigns', tokens: 'Tokens' };
const kept: StackState = {
  kind: 'deployed',
  outputs: {
    ContactsTable: tables.contacts,
    CampaignsTable: tables.campaigns,
    TokensTable: tables.tokens,
    Settings: JSON.stringify({ version: '4.0.0', retainData: true }),
  },
};

const findingsOn = (settings: EnvironmentInput, state: StackState) =>
  findingsOf(parseEnvironment('prod', settings), state, new Set());

const losses = [
  ...findingsOn(bare, kept),
  ...findingsOn({ ...bare, retainData: true, existingTables: { ...tables, tokens: 'Others' } }, kept),
  ...findingsOn(bare, { kind: 'unknown', reason: '', hasOtherCredentials: true }),
];

test('docs/deploy.md has a row for each loss that can be confirmed', () => {
  const rows = tablesIn(sectionOf(deploy, 'Confirm a change that loses data')).flat();
  expect(rows.flatMap(([name]) => codesIn(name))).toEqual(losses.map(({ rule }) => rule));
});

test('docs/deploy.md has the messages of the data-loss check', () => {
  const [, howTo = ''] = /^\| `FATAL … (.*)…` \|/m.exec(deploy) ?? [];
  for (const { severity, description } of losses) {
    expect(severity).toBe('fatal');
    expect(description).toContain(` ${howTo}`);
  }
  expect(howTo).not.toBe('');
  const [skipped] = findingsOn(bare, { kind: 'unknown', reason: 'no AWS region' });
  expect(deploy).toContain(`\`WARNING ${skipped?.description.replace(': no AWS region', '')}\``);
});
