import type { Check } from './check.ts';
import { alarmAddresses } from './checks/alarm-addresses.ts';
import { alarms } from './checks/alarms.ts';
import { backups } from './checks/backups.ts';
import { baseUrls } from './checks/base-urls.ts';
import { certificates } from './checks/certificates.ts';
import { deadLetters } from './checks/dead-letters.ts';
import { drift } from './checks/drift.ts';
import { expiry } from './checks/expiry.ts';
import { mailAddresses } from './checks/mail-addresses.ts';
import { sites } from './checks/sites.ts';
import { stack } from './checks/stack.ts';
import { tables } from './checks/tables.ts';
import { targets } from './checks/targets.ts';
import { thankYouUrls } from './checks/thank-you-urls.ts';
import { tokenExpiry } from './checks/token-expiry.ts';
import { tokenUse } from './checks/token-use.ts';

/** All that is looked at; a check more is a file below checks/ and a row here. */
export const checks: readonly Check[] = [
  stack,
  tables,
  backups,
  expiry,
  alarms,
  alarmAddresses,
  mailAddresses,
  targets,
  deadLetters,
  baseUrls,
  certificates,
  sites,
  thankYouUrls,
  tokenExpiry,
  tokenUse,
  drift,
];
