import type { EnvironmentInput } from './infrastructure/settings.ts';

/**
 * The environments that can be deployed, one stack each. To add one, add an entry; to add a site, add its origin to
 * `siteOrigins`. docs/settings.md says what each setting does.
 */
export const environments = {
  dev: {
    siteOrigins: ['http://localhost:8080'],
    throttles: { public: { rate: 50, burst: 200 }, staff: { rate: 50, burst: 200 } },
    retainData: false,
    retentionDays: 30,
    logRetentionDays: 7,
  },
  staging: {
    siteOrigins: ['https://staging.example.com'],
    throttles: { public: { rate: 20, burst: 100 }, staff: { rate: 20, burst: 100 } },
    retainData: false,
    retentionDays: 90,
    logRetentionDays: 30,
  },
  prod: {
    siteOrigins: ['https://www.example.com'],
    throttles: { public: { rate: 20, burst: 100 }, staff: { rate: 20, burst: 100 } },
    webAcl: true,
    retainData: true,
    logRetentionDays: 90,
    alarmEmails: ['operations@example.com'],
  },
} satisfies Record<string, EnvironmentInput>;
