import type { EnvironmentInput } from '../../lib/infrastructure/settings.ts';

/** The environments of the tests and of their processes, in place of an operator's settings. */
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

/** These settings as a value of `CRCS_SETTINGS`. */
export const settingsFile = import.meta.filename;
