import { Duration } from 'aws-cdk-lib';
import { LambdaIntegration, TokenAuthorizer, type TokenAuthorizerProps } from 'aws-cdk-lib/aws-apigateway';
import * as v from 'valibot';
import { beforeAll, expect, test } from 'vitest';
import { send } from '../http.ts';
import { type Served, serve } from '../test-host.ts';

/** Gives what the token holds, and with it how often it was asked. */
const authorizerSource = `
console.log('the authorizer has started');
let asked = 0;
export const handler = async (event) => {
  console.log('asked', JSON.stringify(event));
  asked += 1;
  const [, text] = event.authorizationToken.split(' ');
  if (text === 'crash') process.exit(1);
  if (text === 'hang') return new Promise(() => console.log('hanging'));
  if (text.startsWith('throw-')) throw new Error(text.slice(6));
  const output = JSON.parse(Buffer.from(text, 'base64url').toString());
  return output?.context ? { ...output, context: { ...output.context, asked } } : output;
};`;

let served: Served;

beforeAll(async () => {
  served = await serve((stack) => {
    const integration = new LambdaIntegration(stack.echo('Echo', 'event.requestContext.authorizer'));
    const props: TokenAuthorizerProps = {
      handler: stack.function('Judge', authorizerSource),
      identitySource: 'method.request.header.Authentication',
      validationRegex: 'Bearer [\\w-]+',
    };
    const keeping = new TokenAuthorizer(stack, 'Keeping', { ...props, resultsCacheTtl: Duration.seconds(30) });
    const asking = new TokenAuthorizer(stack, 'Asking', { ...props, resultsCacheTtl: Duration.seconds(0) });
    const { root } = stack.api({}, { deployOptions: { stageName: 'live' } });
    const things = root.addResource('things');
    things.addMethod('GET', integration, { authorizer: keeping });
    things.addResource('{id}').addMethod('DELETE', integration, { authorizer: keeping });
    root.addResource('fresh').addMethod('GET', integration, { authorizer: asking });
  });
  return served.stop;
});

const get = async (token?: string, path = '/things', method = 'GET') => {
  const headers = token === undefined ? [] : ([['AUTHENTICATION', token]] as const);
  const { status, text } = await send(`${served.baseUrl}${path}`, { method, headers });
  return { status, body: JSON.parse(text) };
};

const tokenOf = (output: unknown) => `Bearer ${Buffer.from(JSON.stringify(output)).toString('base64url')}`;

type Statement = readonly [effect: string, resource: string | string[], action?: string];

const tokenWith = (holder: string, ...statements: Statement[]) =>
  tokenOf({
    principalId: holder,
    policyDocument: {
      Version: '2012-10-17',
      Statement: statements.map(([Effect, Resource, Action = 'execute-api:Invoke']) => ({ Effect, Action, Resource })),
    },
    context: { plan: 'gold', level: 3, admin: true, nothing: null },
  });

const contextSchema = v.object({ asked: v.pipe(v.string(), v.transform(Number)) });

/** How often the authorizer was asked, this time included. */
const countAsked = async (token = tokenWith('counter', ['Allow', '*']), path = '/fresh') =>
  v.parse(contextSchema, (await get(token, path)).body).asked;

const unauthorized = { status: 401, body: { message: 'Unauthorized' } };
const failed = { status: 500, body: { message: null } };

test('the authorizer starts before anybody asks it', async () => {
  expect(await served.logged('the authorizer has started')).toMatch(/^Judge/);
});

test('the authorizer is asked with the token and the method as AWS writes it, and its context goes on as text', async () => {
  const token = tokenWith('ada', ['Allow', '*']);
  expect(await get(token, '/things/a%20b', 'DELETE')).toEqual({
    status: 200,
    body: { principalId: 'ada', plan: 'gold', level: '3', admin: 'true', asked: expect.any(String) },
  });
  const event = JSON.parse((await served.logged(token)).replace(/^.* asked /, ''));
  expect(event).toEqual({
    type: 'TOKEN',
    authorizationToken: token,
    methodArn: expect.stringMatching(/^arn:aws:execute-api:us-east-1:000000000000:\w+\/live\/DELETE\/things\/a%20b$/),
  });
});

test('a missing token, and one that does not match the pattern as a whole, is refused without asking', async () => {
  const token = tokenWith('ben', ['Allow', '*']);
  const before = await countAsked();
  expect(await get()).toEqual(unauthorized);
  expect(await get('')).toEqual(unauthorized);
  expect(await get(`${token}!`)).toEqual(unauthorized);
  expect(await get(`x${token}`)).toEqual(unauthorized);
  expect(await countAsked()).toBe(before + 1);
});

test('of two tokens the last counts', async () => {
  const headers = ['nonsense', tokenWith('gil', ['Allow', '*'])].map((token) => ['Authentication', token] as const);
  expect((await send(`${served.baseUrl}/things`, { headers })).status).toBe(200);
  expect((await send(`${served.baseUrl}/things`, { headers: headers.toReversed() })).status).toBe(401);
});

test('an output is kept for its time, for its token', async () => {
  const token = tokenWith('cyd', ['Allow', '*']);
  const first = await countAsked(token, '/things');
  served.clock.advance(29_999);
  expect(await countAsked(token, '/things')).toBe(first);
  expect(await countAsked(tokenWith('dan', ['Allow', '*']), '/things')).toBe(first + 1);
  served.clock.advance(1);
  expect(await countAsked(token, '/things')).toBe(first + 2);
});

test('a kept policy is evaluated for each method', async () => {
  const token = tokenWith('eve', ['Allow', 'arn:aws:execute-api:*:*:*/live/GET/things']);
  expect((await get(token)).status).toBe(200);
  expect((await get(token, '/things/1', 'DELETE')).status).toBe(403);
  expect((await get(token)).status).toBe(200);
});

test('without a time to live nothing is kept', async () => {
  const token = tokenWith('fay', ['Allow', '*']);
  const first = await countAsked(token, '/fresh');
  expect(await countAsked(token, '/fresh')).toBe(first + 1);
});

const arn = 'arn:aws:execute-api:us-east-1:000000000000:*/live';
const allowAll: Statement = ['Allow', '*'];
const denied = 'User is not authorized to access this resource';
const deniedExplicitly = `${denied} with an explicit deny in an identity-based policy`;

test.each<[string, Statement[], string]>([
  ['no statement', [], denied],
  ['another method', [['Allow', `${arn}/POST/things`]], denied],
  ['a prefix of the path', [['Allow', `${arn}/GET/thing`]], denied],
  ['another stage', [['Allow', 'arn:aws:execute-api:*:*:*/test/GET/things']], denied],
  ['another action', [['Allow', '*', 'execute-api:ManageConnections']], denied],
  ['a character that means more in a regular expression', [['Allow', `${arn}/GET/thing.`]], denied],
  ['an explicit deny before an allow', [['Deny', `${arn}/GET/*`], allowAll], deniedExplicitly],
  ['an explicit deny after an allow', [allowAll, ['Deny', `${arn}/GET/*`]], deniedExplicitly],
])('a policy with %s does not let the request pass', async (holder, statements, Message) => {
  expect(await get(tokenWith(holder, ...statements))).toEqual({ status: 403, body: { Message } });
});

test.each<[string, Statement[]]>([
  ['the exact method', [['Allow', `${arn}/GET/things`]]],
  ['one of several resources', [['Allow', ['arn:x', `${arn}/GET/things`]]]],
  ['wildcards', [['Allow', `${arn}/?ET/t*s`, 'Execute-API:*']]],
  ['a deny of something else', [allowAll, ['Deny', `${arn}/DELETE/*`]]],
])('a policy with %s lets the request pass', async (holder, statements) => {
  expect((await get(tokenWith(holder, ...statements))).status).toBe(200);
});

const statement = { Effect: 'Allow', Action: 'execute-api:Invoke', Resource: '*' };

test('a policy may be a single statement, without a principal', async () => {
  const token = tokenOf({ policyDocument: { Statement: statement } });
  expect(await get(token)).toEqual({ status: 200, body: {} });
});

test.each([
  ['nothing', null],
  ['no policy', { principalId: 'ada' }],
  ['a condition, which is not evaluated', { policyDocument: { Statement: [{ ...statement, Condition: {} }] } }],
  ['an effect that is none', { policyDocument: { Statement: [{ ...statement, Effect: 'allow' }] } }],
  ['an object in its context', { policyDocument: { Statement: [statement] }, context: { user: {} } }],
])('an authorizer that gives %s is misconfigured', async (_, output) => {
  expect(await get(tokenOf(output))).toEqual({ status: 500, body: { message: 'Internal server error' } });
  expect(await served.logged('gave no valid policy')).toMatch(/^gateway: /);
});

test('an authorizer that throws Unauthorized refuses', async () => {
  expect(await get('Bearer throw-Unauthorized')).toEqual(unauthorized);
});

test('an authorizer that throws anything else, crashes or takes too long has failed, and is asked again', async () => {
  expect(await get('Bearer throw-unauthorized')).toEqual(failed);
  expect(await get('Bearer crash')).toEqual(failed);
  const hanging = get('Bearer hang');
  await served.logged('hanging');
  served.clock.advance(5000);
  expect(await hanging).toEqual(failed);
  expect(await countAsked()).toBe(1);
});
