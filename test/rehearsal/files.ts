import assert from 'node:assert/strict';
import * as v from 'valibot';
import type { EnvironmentInput } from '../../lib/infrastructure/settings.ts';
import { sendTo } from '../acceptance/http.ts';
import { type Deployed, deleteContact, withBaseUrl } from './deployed.ts';
import { type Cast, comes } from './steps.ts';

const form = 'jobs';

/** Lets a form accept files. The emulator has no GuardDuty, and its web ACL stands before nothing. */
export const withFiles = {
  webAcl: true,
  files: { scan: false },
  forms: { [form]: { files: true }, sales: {} },
} satisfies Partial<EnvironmentInput>;

/** As large as a CV with a photo. */
const cv = Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(3_000_000, 'x'), Buffer.from('\n%%EOF\n')]);

const filed = v.object({
  id: v.string(),
  files: v.tuple([
    v.object({
      name: v.literal('Lebenslauf Müller.pdf'),
      type: v.literal('application/pdf'),
      size: v.literal(cv.length),
      state: v.literal('unknown'),
      url: v.pipe(v.string(), v.url()),
    }),
  ]),
});

/** Sends a CV. @returns the contact request's id */
export const sendCv = (cast: Cast, deployed: Deployed): Promise<string> =>
  withBaseUrl(cast, deployed, async (baseUrl) => {
    const body = new FormData();
    body.append('form-name', form);
    body.append('email', 'applicant@example.com');
    body.append('cv', new File([cv], 'Lebenslauf Müller.pdf', { type: 'application/pdf' }));
    const response = await sendTo(`${baseUrl}/api/v1/contact`, { method: 'POST', body });
    assert.equal(response.status, 201, response.text);
    return v.parse(v.object({ id: v.string() }), response.body).id;
  });

/** Downloads a CV as staff do. @returns its URL */
export const downloadCv = (cast: Cast, deployed: Deployed, token: string, id: string): Promise<string> =>
  withBaseUrl(cast, deployed, async (baseUrl) => {
    const response = await sendTo(`${baseUrl}/api/v1/contact/${id}`, { headers: { Authentication: token } });
    const [{ url }] = v.parse(filed, response.body).files;
    const download = await fetch(url, { signal: cast.signal });
    assert.equal(download.status, 200);
    assert.ok(Buffer.from(await download.arrayBuffer()).equals(cv), 'The download differs from what was sent');
    assert.match(download.headers.get('content-disposition') ?? '', /^attachment; /);
    return url;
  });

/** A file that comes, is read, and is gone with its contact request. */
export const rehearseFiles = async (cast: Cast, deployed: Deployed, token: string): Promise<void> => {
  const { aws, steps } = cast;
  const { FilesBucket: bucket = '' } = deployed.outputs;
  const id = await sendCv(cast, deployed);
  const url = await downloadCv(cast, deployed, token, id);
  const [key = '', ...others] = await aws.keysIn(bucket);
  assert.deepEqual(others, []);
  assert.ok(key.startsWith(`${id}/`));
  steps.say('A CV of 3 MB is stored, and downloaded by a signed URL');

  const unsigned = await fetch(new URL(new URL(url).pathname, url), { signal: cast.signal });
  assert.equal(unsigned.status, 403);
  steps.say('Without the signature, nobody gets it');

  await withBaseUrl(cast, deployed, (baseUrl) => deleteContact(baseUrl, token, id));
  await comes(cast, 'an empty bucket', async () => ((await aws.keysIn(bucket)).length === 0 ? true : undefined));
  assert.notEqual((await fetch(url, { signal: cast.signal })).status, 200);
  steps.say('With its contact request, the file is deleted, and the bucket is empty');
};
