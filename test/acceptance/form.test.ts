import { expect, test } from 'vitest';
import { create, fetchContact, listOnceItHolds, post, postBody, postForm, storedIn, visitor } from './client.ts';
import type { ApiResponse } from './http.ts';

const postMultipart = (fields: Record<string, string>): Promise<ApiResponse> => {
  const data = new FormData();
  for (const [name, value] of Object.entries(fields)) data.append(name, value);
  return postBody(data);
};

test.for([
  ['JSON', post],
  ['a form', postForm],
  ['multipart', postMultipart],
] as const)(
  'accepts a form of another service as %s, with its name and campaign and without its settings',
  async ([, postFields]) => {
    const before = await create();
    const { email, message } = visitor();
    const response = await postFields({
      _replyto: email,
      message,
      'form-name': ' Zoe\u0308 ',
      _form: 'other',
      Campaign_ID: ' spring-sale ',
      'g-recaptcha-response': 'x'.repeat(10 * 1024),
      access_key: '5f0c9a52-7f0e-4a3b-9c39-2f6b1f1f0a11',
      _captcha: 'false',
      _template: 'table',
    });
    const stored = storedIn(response);
    const { id, createdAt } = stored;
    expect(stored).toEqual({ id, createdAt, email, message, form: 'Zo\u00eb', campaign: 'spring-sale' });
    expect((await fetchContact(id)).body).toEqual(stored);
    expect(await listOnceItHolds(before, [stored])).toContainEqual(stored);
  },
);
