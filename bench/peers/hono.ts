// Hono with its adapter for Lambda: https://hono.dev/docs/getting-started/aws-lambda
import { Hono } from 'hono';
import { handle } from 'hono/aws-lambda';
import { parseContact } from './contact.ts';
import { store } from './documents.ts';

const app = new Hono();

app.post('/api/v1/contact', async (c) => {
  const result = parseContact(await c.req.json());
  if ('faults' in result) return c.json({ error: 'Bad Request', details: result.faults }, 400);
  const { contact } = result;
  await store(contact);
  return c.json(contact, 201, { Location: `/api/v1/contact/${contact.id}` });
});

export const handler = handle(app);
