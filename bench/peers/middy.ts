// middy with the middlewares that its documentation puts around a JSON API: https://middy.js.org/docs/intro/getting-started
import middy from '@middy/core';
import httpErrorHandler from '@middy/http-error-handler';
import httpHeaderNormalizer from '@middy/http-header-normalizer';
import httpJsonBodyParser from '@middy/http-json-body-parser';
import { createError } from '@middy/util';
import { json, parseContact } from './contact.ts';
import { store } from './documents.ts';

export const handler = middy()
  .use(httpHeaderNormalizer())
  .use(httpJsonBodyParser())
  .use(httpErrorHandler())
  .handler(async (event: { readonly body?: unknown }) => {
    const result = parseContact(event.body);
    if ('faults' in result) {
      throw createError(400, JSON.stringify({ error: 'Bad Request', details: result.faults }));
    }
    const { contact } = result;
    await store(contact);
    return json(201, contact, { Location: `/api/v1/contact/${contact.id}` });
  });
