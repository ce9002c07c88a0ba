import type { EnvironmentInput } from './infrastructure/settings.ts';

/**
 * Your environments: each entry is a stack that you can deploy. docs/settings.md explains every setting.
 *
 * To let the pages of a site send contact requests, add its origin to `sites`: `{ origin: 'https://www.example.com' }`.
 */
export const environments = {
  /** For trials. `npm start` uses its settings of sites, forms, spam and emails. */
  dev: {
    sites: [{ origin: 'http://localhost:8080' }],
    // The tests of a first deployment send many requests at once.
    throttles: { public: { rate: 50, burst: 200 }, staff: { rate: 50, burst: 200 } },
    // `npx cdk destroy` deletes all contact requests.
    retainData: false,
    retentionDays: 30,
    logRetentionDays: 7,
  },
  /** For a last look before `prod`. */
  staging: {
    sites: [{ origin: 'https://staging.example.com' }],
    retainData: false,
    retentionDays: 90,
    logRetentionDays: 30,
  },
  /** For real visitors: protected, and kept until you delete them, unless you set `retentionDays`. */
  prod: {
    sites: [{ origin: 'https://www.example.com' }],
    alarmEmails: ['operations@example.com'],
  },
} satisfies Record<string, EnvironmentInput>;
