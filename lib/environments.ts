import type { EnvironmentInput } from './infrastructure/settings.ts';

/**
 * The environments that can be deployed, one stack each. To add a site, add `{ origin: 'https://www.example.com' }` to
 * `sites`. `npm start` uses the form settings of `dev`. See docs/settings.md.
 */
export const environments = {
  dev: {
    sites: [{ origin: 'http://localhost:8080' }],
    throttles: { public: { rate: 50, burst: 200 }, staff: { rate: 50, burst: 200 } },
    retainData: false,
    retentionDays: 30,
    logRetentionDays: 7,
  },
  staging: {
    sites: [{ origin: 'https://staging.example.com' }],
    retainData: false,
    retentionDays: 90,
    logRetentionDays: 30,
  },
  prod: {
    sites: [{ origin: 'https://www.example.com' }],
    alarmEmails: ['operations@example.com'],
  },
} satisfies Record<string, EnvironmentInput>;
