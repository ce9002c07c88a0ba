import { expect, it } from 'vitest';
import { embeddedMetrics } from '../../../functions/shared/metrics.ts';
import { logLines } from '../../support/log.ts';

const count = embeddedMetrics('prod', () => new Date(1_772_366_400_000));

it('writes a line in the embedded metric format', () => {
  count('UnreadableItems');
  expect(logLines()).toStrictEqual([
    {
      _aws: {
        Timestamp: 1_772_366_400_000,
        CloudWatchMetrics: [
          {
            Namespace: 'ContactService',
            Dimensions: [['Environment']],
            Metrics: [{ Name: 'UnreadableItems', Unit: 'Count' }],
          },
        ],
      },
      Environment: 'prod',
      UnreadableItems: 1,
    },
  ]);
});

it('counts by target only, because each further metric costs', () => {
  count('NotificationsFailed', { target: 'Email1bc5b2df' });
  expect(logLines()).toMatchObject([
    {
      _aws: { CloudWatchMetrics: [{ Dimensions: [['Environment', 'Target']] }] },
      Environment: 'prod',
      Target: 'Email1bc5b2df',
      NotificationsFailed: 1,
    },
  ]);
});
