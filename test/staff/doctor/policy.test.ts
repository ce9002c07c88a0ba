import { readFileSync } from 'node:fs';
import * as v from 'valibot';
import { expect, it } from 'vitest';
import { notCompared, reads } from '../../../lib/staff/doctor/checks/drift.ts';
import { checks } from '../../../lib/staff/doctor/checks.ts';
import { openingActions } from '../../../lib/staff/doctor/deployment.ts';
import { full, resourcesOf, synthesize } from '../../infrastructure/synthesize.ts';

const texts = v.union([
  v.array(v.string()),
  v.pipe(
    v.string(),
    v.transform((text) => [text]),
  ),
]);

const policy = v.parse(
  v.strictObject({
    Version: v.literal('2012-10-17'),
    Statement: v.array(v.strictObject({ Sid: v.string(), Effect: v.literal('Allow'), Action: texts, Resource: texts })),
  }),
  JSON.parse(readFileSync('docs/doctor-policy.json', 'utf8')),
);

const allowed = policy.Statement.flatMap(({ Action }) => Action);

it('allows what the checks name, and nothing else', () => {
  const named = new Set([...openingActions, ...checks.flatMap(({ actions }) => actions)]);
  expect(allowed.toSorted()).toEqual([...named].toSorted());
});

it('allows to read what is set and not what is kept', () => {
  const isReading = /^[\w-]+:(Get|List|Describe|Detect|BatchDescribe|FilterLogEvents$|StartQuery$|Query$|GET$)/;
  expect(allowed.filter((action) => !isReading.test(action))).toEqual([]);
  expect(allowed.filter((action) => /^dynamodb:(GetItem|Scan|BatchGetItem)|GetSecretValue/.test(action))).toEqual([]);
  const query = policy.Statement.filter(({ Action }) => Action.includes('dynamodb:Query'));
  expect(query.map(({ Action, Resource }) => [Action, Resource])).toEqual([
    [['dynamodb:Query'], ['arn:aws:dynamodb:*:*:table/ContactService-*Tokens*/index/list']],
  ]);
});

const template = synthesize({ full })('full');

it('compares every type of resource that the stack has, or says that it does not', () => {
  const types = v.parse(v.record(v.string(), v.object({ Type: v.string() })), template.toJSON()['Resources']);
  const known = [...Object.keys(reads), ...notCompared];
  const unknown = Object.values(types).filter(
    ({ Type }) => !known.some((prefix) => Type === prefix || Type.startsWith(`${prefix}::`)),
  );
  expect([...new Set(unknown.map(({ Type }) => Type))]).toEqual([]);
});

it('looks for resources by names that the stack has', () => {
  const names = (type: string) => Object.keys(resourcesOf(template, type));
  expect(names('AWS::Lambda::Function')).toEqual(expect.arrayContaining(['CreateContact', 'NotificationsFanOut']));
  expect(names('AWS::Logs::LogGroup')).toContain('ApiAccessLog');
  expect(names('AWS::SNS::Topic')).toContain('AlarmsTopic');
});
