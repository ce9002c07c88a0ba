import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import { text } from 'node:stream/consumers';
import { createSecureContext } from 'node:tls';
import { StaffError } from './staff-error.ts';

/** No proxy reaches this machine. */
const loopback = ['localhost', '127.0.0.1', '::1'];

/** The certificates of AWS_CA_BUNDLE take the place of Node's, as in the CDK and the AWS CLI. */
const trusted = (file: string | undefined) => {
  if (!file) return {};
  try {
    return { secureContext: createSecureContext({ ca: readFileSync(file) }) };
  } catch (error) {
    throw new StaffError(`AWS_CA_BUNDLE: cannot use ${file}: ${error instanceof Error ? error.message : error}`);
  }
};

/** The shell's proxies, as Node reads them. Node's own error would show the password. */
const proxiesOf = (variables: NodeJS.ProcessEnv) => {
  try {
    for (const { Agent } of [https, http]) new Agent({ proxyEnv: variables });
  } catch {
    throw new StaffError(
      'HTTPS_PROXY or HTTP_PROXY is no URL: write it as in http://proxy.example.com:3128, and the characters #, %, / and ? of a password as %23, %25, %2F and %3F.',
    );
  }
  return variables;
};

/**
 * Options for an agent of `node:http` or `node:https`, which takes neither the shell's proxy nor AWS_CA_BUNDLE by itself.
 * https://nodejs.org/docs/latest-v24.x/api/http.html#built-in-proxy-support
 */
export const networkOf = ({ no_proxy, NO_PROXY, AWS_CA_BUNDLE, ...variables }: NodeJS.ProcessEnv) => ({
  proxyEnv: proxiesOf({ ...variables, no_proxy: [no_proxy || NO_PROXY || '', ...loopback].join() }),
  ...trusted(AWS_CA_BUNDLE),
});

interface RequestOptions {
  /** @defaultValue GET */
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Milliseconds for the whole response. */
  readonly timeout: number;
}

/**
 * Sends a request as `fetch` would, but by the shell's proxy and certificates, and follows no redirect.
 * @throws a `TimeoutError` if there is no whole response in time, or what Node says of the network
 */
export const requestText = async (url: URL, { method = 'GET', headers = {}, body = '', timeout }: RequestOptions) => {
  const { Agent, request } = url.protocol === 'https:' ? https : http;
  const agent = new Agent(networkOf(process.env));
  const signal = AbortSignal.timeout(timeout);
  try {
    const sent = request(url, { method, headers, agent, signal });
    sent.end(body);
    const [response] = await once(sent, 'response');
    if (!(response instanceof http.IncomingMessage)) throw new Error('No response');
    return { status: response.statusCode, body: await text(response) };
  } catch (error) {
    // Node says only that the request was aborted.
    signal.throwIfAborted();
    throw error;
  }
};
