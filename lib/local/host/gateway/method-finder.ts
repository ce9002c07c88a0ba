import type { Method } from '../template/method.ts';
import { GatewayError } from './gateway-error.ts';

/** A method, and what the request's path says to it. */
export interface MethodMatch {
  readonly method: Method;
  /** The path's parameters, percent-decoded. */
  readonly pathParameters: Readonly<Record<string, string>>;
}

/** `0` for a literal segment, `1` for `{parameter}`, `2` for `{greedy+}`: in order, what is tried first. */
const rank = (segment: string) => (segment.endsWith('+}') ? 2 : segment.startsWith('{') ? 1 : 0);

const segmentsOf = (path: string) => path.split('/').slice(1);

/** The parameters of a path that the pattern matches, still encoded. */
const matchSegments = (pattern: readonly string[], segments: readonly string[]): Record<string, string> | undefined => {
  const isGreedy = pattern.some((segment) => rank(segment) === 2);
  if (!isGreedy && pattern.length !== segments.length) return undefined;
  const parameters: Record<string, string> = {};
  for (const [index, segment] of pattern.entries()) {
    const value = rank(segment) === 2 ? segments.slice(index).join('/') : segments[index];
    if (rank(segment) === 0) {
      if (segment !== value) return undefined;
    } else {
      if (!value) return undefined;
      parameters[segment.replaceAll(/[{}+]/g, '')] = value;
    }
  }
  return parameters;
};

const decode = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new GatewayError('DEFAULT_4XX');
  }
};

/**
 * Finds the method of a request as API Gateway does: by path and HTTP method together, a literal segment before a
 * parameter before a greedy one; a slash at the path's end does not count.
 * @returns a function of the HTTP method and the percent-encoded path, which throws {GatewayError} where there is none
 */
export const createMethodFinder = (methods: readonly Method[]) => {
  const candidates = methods
    .map((method) => {
      const pattern = segmentsOf(method.resourcePath);
      return { method, pattern, order: pattern.map(rank).join('') + (method.httpMethod === 'ANY' ? 1 : 0) };
    })
    .sort((a, b) => (a.order < b.order ? -1 : 1));

  return (httpMethod: string, path: string): MethodMatch => {
    decode(path);
    const segments = segmentsOf(path.length > 1 ? path.replace(/\/$/, '') : path);
    for (const { method, pattern } of candidates) {
      if (method.httpMethod !== httpMethod && method.httpMethod !== 'ANY') continue;
      const parameters = matchSegments(pattern, segments);
      if (!parameters) continue;
      return {
        method,
        pathParameters: Object.fromEntries(Object.entries(parameters).map(([name, value]) => [name, decode(value)])),
      };
    }
    throw new GatewayError('MISSING_AUTHENTICATION_TOKEN');
  };
};
