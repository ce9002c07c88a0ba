import { expect, it } from 'vitest';
import { requestText } from '../../lib/shared/network.ts';
import { describeFailure } from '../../lib/staff/environment/failure.ts';
import { serve } from '../support/server.ts';

it('says that a service is unreachable if no response comes in time, or none is complete', async () => {
  await using server = await serve((request, response) => {
    if (request.url === '/begun') response.write('{');
  });
  for (const path of ['/silent', '/begun']) {
    const failure = await requestText(new URL(path, server.url), { timeout: 50 }).catch(describeFailure);
    expect(failure).toMatch(/^The environment is unreachable or too busy \(.*timeout\): try again later\.$/);
  }
});
