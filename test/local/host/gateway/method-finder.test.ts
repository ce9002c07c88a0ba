import { beforeAll, expect, test } from 'vitest';
import { send } from '../http.ts';
import { serve } from '../test-host.ts';

let baseUrl: string;

beforeAll(async () => {
  const served = await serve((stack) => {
    const echo = stack.echo('Echo', '[event.resource, event.path, event.pathParameters]');
    stack.api({
      'GET /things': echo,
      'GET /things/{id}': echo,
      'GET /things/latest': echo,
      'DELETE /things/{id}': echo,
      'GET /things/{id}/parts': echo,
      'ANY /files/{path+}': echo,
      'GET /files/readme': echo,
    });
  });
  ({ baseUrl } = served);
  return served.stop;
});

const get = async (path: string, method = 'GET') => {
  const { status, text } = await send(`${baseUrl}${path}`, { method });
  return status === 200 ? JSON.parse(text) : [status, JSON.parse(text || 'null')];
};

test('a literal segment goes before a parameter, and that before a greedy one', async () => {
  expect(await get('/things/latest')).toEqual(['/things/latest', '/things/latest', null]);
  expect(await get('/things/1')).toEqual(['/things/{id}', '/things/1', { id: '1' }]);
  expect(await get('/things/latest/parts')).toEqual(['/things/{id}/parts', '/things/latest/parts', { id: 'latest' }]);
  expect(await get('/files/readme')).toEqual(['/files/readme', '/files/readme', null]);
  expect(await get('/files/a/b%20c')).toEqual(['/files/{path+}', '/files/a/b%20c', { path: 'a/b c' }]);
});

test('path and method are matched together', async () => {
  expect(await get('/things/latest', 'DELETE')).toEqual(['/things/{id}', '/things/latest', { id: 'latest' }]);
  expect(await get('/files/readme', 'POST')).toEqual(['/files/{path+}', '/files/readme', { path: 'readme' }]);
});

test('a slash at the end does not count for the method and stays in the event', async () => {
  expect(await get('/things/')).toEqual(['/things', '/things/', null]);
});

const missing = [403, { message: 'Missing Authentication Token' }];

test.each(['/', '/thing', '/Things', '/things/1/2', '/things//parts', '//things', '/files', '/things%2F1'])(
  'there is no method at %s',
  async (path) => expect(await get(path)).toEqual(missing),
);

test('an HTTP method that the template does not have at the path is none', async () => {
  expect(await get('/things', 'POST')).toEqual(missing);
  expect(await get('/things', 'OPTIONS')).toEqual(missing);
  expect((await send(`${baseUrl}/things`, { method: 'HEAD' })).status).toBe(403);
});

test('a path that cannot be decoded is a bad request', async () => {
  expect(await get('/things/%ff')).toEqual([400, { message: 'Bad Request' }]);
  expect(await get('/%')).toEqual([400, { message: 'Bad Request' }]);
});
