import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as v from 'valibot';
import { afterAll, describe, expect, it } from 'vitest';
import { assumptions, estimate } from '../../lib/costs/estimate.ts';
import { createApp } from '../../lib/infrastructure/app.ts';
import { bundleDir, handlerNames } from '../../lib/infrastructure/handlers.ts';
import { parseEnvironment } from '../../lib/infrastructure/settings.ts';
import { stackName } from '../../lib/infrastructure/stack-name.ts';
import { bare } from '../infrastructure/synthesize.ts';

const directory = mkdtempSync(join(tmpdir(), 'costs-'));
afterAll(() => rmSync(directory, { recursive: true }));

for (const name of handlerNames) {
  const bundle = bundleDir(directory, name);
  mkdirSync(bundle);
  writeFileSync(join(bundle, 'index.mjs'), '');
}

const silent = { ...bare, webAcl: true };
const withAll = {
  ...silent,
  dashboard: true,
  silenceAlarm: 24,
  notifications: {
    from: 'contact@example.com',
    emails: ['sales@example.com'],
    webhooks: [{ url: 'https://hooks.example.com/contact' }],
  },
};
const assembly = createApp({ silent, told: withAll }, directory, { outdir: join(directory, 'cdk.out') }).synth();

const template = v.object({
  Resources: v.record(
    v.string(),
    v.object({ Type: v.string(), Properties: v.optional(v.record(v.string(), v.unknown())) }),
  ),
});

/** The properties of each resource of a type. */
const resources = (environment: string, type: string) =>
  Object.values(v.parse(template, assembly.getStackByName(stackName(environment)).template).Resources)
    .filter(({ Type }) => Type === type)
    .map(({ Properties }) => Properties ?? {});

const terms = v.array(v.looseObject({ MetricStat: v.optional(v.unknown()) }));

/** The metrics that the alarms of an environment look at. */
const alarmMetrics = (environment: string) =>
  resources(environment, 'AWS::CloudWatch::Alarm').reduce(
    (sum, { Metrics }) => sum + (Metrics ? v.parse(terms, Metrics).filter(({ MetricStat }) => MetricStat).length : 1),
    0,
  );

const amountOf = (part: string, told: boolean) =>
  estimate(
    {
      contacts: 1,
      lists: 0,
      fetches: 0,
      deletes: 0,
      keptMonths: 1,
      waf: true,
      email: told,
      webhook: told,
    },
    parseEnvironment('bare', told ? withAll : silent),
  ).find(({ name }) => name === part)?.quantity;

describe('the estimate is true to the template: it has', () => {
  it('every alarm, with notifications and without', () => {
    expect(alarmMetrics('silent')).toBe(amountOf('Alarms', false));
    expect(alarmMetrics('told')).toBe(amountOf('Alarms', true));
  });

  it('a dashboard where the settings want one', () => {
    expect(resources('silent', 'AWS::CloudWatch::Dashboard')).toHaveLength(amountOf('Dashboard', false) ?? 0);
    expect(resources('told', 'AWS::CloudWatch::Dashboard')).toHaveLength(amountOf('Dashboard', true) ?? Number.NaN);
  });

  it('the web ACL and its rules', () => {
    const acls = resources('silent', 'AWS::WAFv2::WebACL');
    expect(acls).toEqual([expect.objectContaining({ Rules: expect.any(Array) })]);
    expect(acls[0]?.['Rules']).toHaveLength(assumptions.wafRules.value);
  });

  it('one pipe and one topic, a queue that is polled for each target, the secret of the webhook', () => {
    expect(resources('told', 'AWS::Pipes::Pipe')).toHaveLength(amountOf('Notifications: pipe', true) ?? Number.NaN);
    expect(resources('told', 'AWS::SNS::Topic')).toHaveLength(amountOf('Notifications: topic', true) ?? Number.NaN);
    expect(resources('told', 'AWS::Lambda::EventSourceMapping')).toHaveLength(
      (amountOf('Notifications: idle queues', true) ?? Number.NaN) / assumptions.idlePolls.value,
    );
    expect(resources('told', 'AWS::SecretsManager::Secret')).toHaveLength(
      amountOf('Notifications: secret', true) ?? Number.NaN,
    );
  });

  it('the memory and the processor of the functions', () => {
    const functions = resources('told', 'AWS::Lambda::Function').filter(({ Runtime }) => Runtime === 'nodejs24.x');
    const { memoryMb, notifyMemoryMb } = assumptions;
    // Two of them, of the one bundle, tell a target each.
    expect(functions.map(({ MemorySize }) => MemorySize).sort()).toEqual([
      ...handlerNames.slice(1).map(() => memoryMb.value),
      notifyMemoryMb.value,
      notifyMemoryMb.value,
    ]);
    expect(functions.map(({ Architectures }) => Architectures)).toEqual(functions.map(() => ['arm64']));
  });
});
