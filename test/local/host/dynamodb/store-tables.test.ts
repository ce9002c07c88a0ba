import { join } from 'node:path';
import { type Attribute, AttributeType, type TablePropsV2 } from 'aws-cdk-lib/aws-dynamodb';
import { expect, test } from 'vitest';
import type { Assembly } from '../../../../lib/local/host/template/template.ts';
import { list, openStack, string, synthesizeTables, testFolder } from '../test-tables.ts';

const number = (name: string): Attribute => ({ name, type: AttributeType.NUMBER });

test.each<[string, Partial<TablePropsV2>]>([
  ['a key', { partitionKey: string('list') }],
  ['an index', { globalSecondaryIndexes: [list(string('id'), string('list'))] }],
  [
    'the type of an attribute',
    { partitionKey: number('id'), globalSecondaryIndexes: [list(string('list'), number('id'))] },
  ],
])('a table on disk that differs from the template in %s stops the start', async (_, changes) => {
  const folder = testFolder();
  const open = (assembly: Assembly) => openStack(join(folder, 'data'), assembly);
  const assembly = synthesizeTables(folder);
  await (await open(assembly)).close();
  await expect(open(synthesizeTables(testFolder(), changes))).rejects.toThrow(
    /^Table local-Things\w+ in .*dynamodb has other keys or indexes than the template: /,
  );
  await (await open(assembly)).close();
});
