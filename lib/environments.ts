import type { EnvironmentInput } from './infrastructure/settings.ts';

/**
 * The environments that can be deployed, one stack each. To add one, add an entry; to add a site, add it to `sites`, as
 * `{ origin: 'https://www.example.com' }`. What forms meet in `dev` they meet in `npm start`. docs/settings.md says what each
 * setting does.
 */
export const environments = {
  dev: {
    sites: [{ origin: 'http://localhost:8080' }],
    throttles: { public: { rate: 50, burst: 200 }, staff: { rate: 50, burst: 200 } },
    retainData: false,
    retentionDays: 30,
    logRetentionDays: 7,
    reportLines: true,
  },
  staging: {
    sites: [{ origin: 'https://staging.example.com' }],
    throttles: { public: { rate: 20, burst: 100 }, staff: { rate: 20, burst: 100 } },
    retainData: false,
    retentionDays: 90,
    logRetentionDays: 30,
  },
  prod: {
    sites: [{ origin: 'https://www.example.com' }],
    throttles: { public: { rate: 20, burst: 100 }, staff: { rate: 20, burst: 100 } },
    webAcl: true,
    retainData: true,
    logRetentionDays: 90,
    alarmEmails: ['operations@example.com'],
  },
} satisfies Record<string, EnvironmentInput>;
