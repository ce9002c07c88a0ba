import { expect, it } from 'vitest';
import { embeddedMetrics } from '../../functions/metrics.ts';
import { logLines } from '../support/log.ts';

const count = embeddedMetrics('prod', () => new Date(1_772_366_400_000));

it('writes a line in the embedded metric format', () => {
  count('ContactsCreated');
  expect(logLines()).toStrictEqual([
    {
      _aws: {
        Timestamp: 1_772_366_400_000,
        CloudWatchMetrics: [
          {
            Namespace: 'ContactService',
            Dimensions: [['Environment']],
            Metrics: [{ Name: 'ContactsCreated', Unit: 'Count' }],
          },
        ],
      },
      Environment: 'prod',
      ContactsCreated: 1,
    },
  ]);
});

it('counts by reason, and only so: each further metric costs', () => {
  count('ContactsRefused', '403');
  expect(logLines()).toMatchObject([
    {
      _aws: { CloudWatchMetrics: [{ Dimensions: [['Environment', 'Reason']] }] },
      Environment: 'prod',
      Reason: '403',
      ContactsRefused: 1,
    },
  ]);
});

it('counts in one line what belongs together, a zero where that was looked for', () => {
  count('ContactsCreated', undefined, { ContactsMarkedSpam: 0 });
  const Metrics = ['ContactsCreated', 'ContactsMarkedSpam'].map((Name) => ({ Name, Unit: 'Count' }));
  expect(logLines()).toMatchObject([
    {
      _aws: { CloudWatchMetrics: [{ Dimensions: [['Environment']], Metrics }] },
      ContactsCreated: 1,
      ContactsMarkedSpam: 0,
    },
  ]);
});
