// Powertools for AWS Lambda: router, logger, tracer and metrics, as its documentation puts them together.
// https://docs.aws.amazon.com/powertools/typescript/latest/features/event-handler/http/
import { BadRequestError, Router } from '@aws-lambda-powertools/event-handler/http';
import { metrics as metricsMiddleware } from '@aws-lambda-powertools/event-handler/http/middleware/metrics';
import { tracer as tracerMiddleware } from '@aws-lambda-powertools/event-handler/http/middleware/tracer';
import { Logger } from '@aws-lambda-powertools/logger';
import { Metrics, MetricUnit } from '@aws-lambda-powertools/metrics';
import { Tracer } from '@aws-lambda-powertools/tracer';
import type { Context } from 'aws-lambda';
import { parseContact } from './contact-rules.ts';
import { client, store } from './store.ts';

const serviceName = 'contacts';
const logger = new Logger({ serviceName });
const tracer = new Tracer({ serviceName });
const metrics = new Metrics({ serviceName, namespace: 'ContactService' });

tracer.captureAWSv3Client(client);

const app = new Router({ logger });

app.use(tracerMiddleware(tracer));
app.use(metricsMiddleware(metrics));

app.post('/api/v1/contact', async ({ req }) => {
  const result = parseContact(await req.json());
  if ('faults' in result) throw new BadRequestError('Bad Request', undefined, { faults: result.faults });
  const { contact } = result;
  await store(contact);
  metrics.addMetric('ContactsCreated', MetricUnit.Count, 1);
  logger.info('request', { status: 201 });
  return Response.json(contact, { status: 201, headers: { Location: `/api/v1/contact/${contact.id}` } });
});

export const handler = async (event: unknown, context: Context) => {
  logger.addContext(context);
  return app.resolve(event, context);
};
