import { expect, test } from 'vitest';
import { alarmNames } from '../../lib/infrastructure/alarms.ts';
import { causedAlarms, causedByMail } from './causes.ts';

test('every alarm that a run causes exists', () => {
  expect(alarmNames).toEqual(expect.arrayContaining([...causedAlarms, ...causedByMail]));
});
