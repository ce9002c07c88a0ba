// Express with the adapter that most of its users on Lambda take: https://github.com/CodeGenieApp/serverless-express
import { configure as serverlessExpress } from '@codegenie/serverless-express';
import express from 'express';
import { parseContact } from './contact-rules.ts';
import { store } from './store.ts';

const app = express();

app.use(express.json());

app.post('/api/v1/contact', async (request, response) => {
  const result = parseContact(request.body);
  if ('faults' in result) {
    response.status(400).json({ error: 'Bad Request', details: result.faults });
    return;
  }
  const { contact } = result;
  await store(contact);
  response.status(201).location(`/api/v1/contact/${contact.id}`).json(contact);
});

export const handler = serverlessExpress({ app });
