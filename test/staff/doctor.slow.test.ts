import { expect, it } from 'vitest';
import { full, resourcesOf, synthesize } from '../infrastructure/synthesize.ts';

// lib/staff/doctor-checks.ts looks for them by these names, and reports nothing if they are not there.
it('the stack has the alarm topic and the event source mappings that the doctor looks for', () => {
  const template = synthesize({ full })('full');
  const topics = Object.keys(resourcesOf(template, 'AWS::SNS::Topic')).filter((name) => /AlarmsTopic/.test(name));
  expect(topics).toHaveLength(1);
  expect(resourcesOf(template, 'AWS::Lambda::EventSourceMapping')).not.toEqual({});
});
