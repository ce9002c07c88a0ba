import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { expect, it } from 'vitest';
import { idIn, minimal } from '../../support/contacts.ts';
import { withS3 } from '../../support/files.ts';
import { client } from '../../support/tables.ts';

const { start } = withS3();

const pdf = (bytes = 100) => Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(bytes - 9, 'x')]);
const fileOf = (content: Buffer, name: string) => new File([content], name);
const fields = Object.entries(minimal);

it('stores a CV of 3 MB byte for byte before the contact request, and shows it', async () => {
  const { s3, submit, get, table } = await start();
  const content = pdf(3_000_000);
  const response = await submit([...fields, ['cv', fileOf(content, 'CV Ada.pdf')]]);
  const id = idIn(response);
  const files = [{ name: 'CV Ada.pdf', type: 'application/pdf', size: 3_000_000 }];
  expect(response.body).toMatchObject({ files });
  const { Item: item } = await client.send(new GetCommand({ TableName: table, Key: { id } }));
  const key = `${id}/${item?.['upload']}/0`;
  expect([...s3.objects.keys()]).toEqual([key]);
  expect(s3.objects.get(key)?.content.equals(content)).toBe(true);
  const { body } = await get({ pathParameters: { id } });
  expect(body).toMatchObject({ files: [{ ...files[0], state: 'unknown', url: expect.stringContaining(key) }] });
});
