import assert from 'node:assert/strict';
import { randomBytes, randomInt } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import http, { type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import type { Contact } from '../acceptance/contact.ts';

/** Files that a visitor sends. */
export const createFiles = (count: number, bytes = randomInt(300_000)): Buffer[] =>
  Array.from({ length: count }, () => Buffer.concat([Buffer.from('%PDF-1.7\n'), randomBytes(bytes)]));

/** A form that takes files, filled in. */
export const formOf = (message: string, files: readonly Buffer[]): FormData => {
  const form = new FormData();
  form.set('form-name', 'application');
  form.set('email', 'visitor@example.com');
  form.set('message', message);
  for (const content of files)
    form.append('cv', new Blob([new Uint8Array(content)], { type: 'application/pdf' }), 'cv.pdf');
  return form;
};

/** Reads the bytes of a response. */
const download = async (url: string): Promise<Buffer> => {
  const [incoming]: IncomingMessage[] = await once(http.get(url, { agent: false }), 'response');
  assert.equal(incoming?.statusCode, 200, 'a file cannot be read');
  return Buffer.concat(await incoming.toArray());
};

/** A contact request as it was sent: without what staff may do with its files. */
export const withoutUrls = ({ files, ...contact }: Contact): Contact => ({
  ...contact,
  ...(files && { files: files.map(({ name, type, size }) => ({ name, type, size })) }),
});

const urlsOf = ({ files = [] }: Contact): string[] => files.map(({ url }) => url ?? '');

/** The keys of the objects of a contact request that staff have read. */
export const keysOf = (contact: Contact): string[] =>
  urlsOf(contact).map((url) => new URL(url).pathname.split('/').slice(2).join('/'));

/** Compares every byte. */
export const checkFiles = async (contact: Contact, sent: readonly Buffer[]): Promise<void> => {
  const found = await Promise.all(urlsOf(contact).map(download));
  assert.equal(found.length, sent.length, 'a file is missing');
  for (const [index, content] of found.entries())
    assert(content.equals(sent[index] ?? Buffer.alloc(0)), 'a file differs');
};

const filesBelow = (dataDir: string): string[] =>
  readdirSync(join(dataDir, 'files'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));

/** The keys of all stored objects. */
export const storedKeys = (dataDir: string): string[] =>
  filesBelow(dataDir).map((file) => decodeURIComponent(file.slice(file.lastIndexOf('/') + 1)));

/** Makes all objects, and the last sweep, so much older. The service must be stopped. */
export const makeOlder = (dataDir: string, milliseconds: number): void => {
  const change = (file: string, pattern: RegExp) => {
    const text = readFileSync(file, 'latin1');
    const changed = text.replace(pattern, (_, start, time) => `${start}${Number(time) - milliseconds}`);
    assert.notEqual(changed, text);
    writeFileSync(file, changed, 'latin1');
  };
  for (const file of filesBelow(dataDir)) change(file, /^(.*"time":)(\d+)/);
  change(join(dataDir, 'schedules.json'), /(:)(\d+)/);
};
