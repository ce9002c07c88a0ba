import * as v from 'valibot';
import { endpoints } from '../infrastructure/endpoints.ts';
import type { Exchange } from './host/gateway/http-message.ts';
import type { Log } from './host/host-log.ts';

/** A line that a function wrote as JSON (functions/shared/log.ts). */
const jsonLine = v.pipe(v.string(), v.parseJson(), v.looseObject({}));

/** The path of an endpoint, since the sender can write anything into another one. `{id}` stands for one segment. */
const routeOf = ({ httpMethod, path }: Exchange['request']): string | undefined => {
  const found = endpoints.find((endpoint) =>
    new RegExp(`^${endpoint.path.replaceAll(/\{\w+\}/g, '[^/]+')}/?$`).test(path),
  );
  return found && /^[A-Z]{1,10}$/.test(httpMethod) ? `${httpMethod} ${found.path}` : undefined;
};

/**
 * Writes JSON lines as on AWS: what the functions log, a line for each request, and what the host itself says. No line has an
 * address, a token or what a visitor wrote.
 * @param print prints a line
 */
export const createJsonLog = (print: (line: string) => void, now: () => Date) => {
  const write = (level: 'error' | 'info' | 'warn', message: string, fields: object): void =>
    print(JSON.stringify({ timestamp: now().toISOString(), level, message, ...fields }));

  const log: Log = (source, line) => {
    const { success, output } = v.safeParse(jsonLine, line);
    if (!success) return write('error', line, { source });
    // Counts for CloudWatch.
    if (!('_aws' in output)) print(line);
  };

  const observe = ({ request, response, milliseconds }: Exchange): void =>
    write('info', 'access', {
      requestId: request.id,
      route: routeOf(request),
      status: response.statusCode,
      milliseconds,
    });

  return { log, observe, write };
};
