import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { Command, Executor } from 'selenium-webdriver/lib/command.js';
import { throwDecodedError } from 'selenium-webdriver/lib/error.js';
import * as v from 'valibot';

/** The commands that Firefox knows under other names, by Selenium's name. */
const names: Readonly<Record<string, string>> = {
  clearElement: 'ElementClear',
  clickElement: 'ElementClick',
  get: 'Navigate',
  getCurrentUrl: 'GetCurrentURL',
  quit: 'DeleteSession',
  sendKeysToElement: 'ElementSendKeys',
};

const nameOf = (name: string) => `WebDriver:${names[name] ?? name.replace(/^./, (letter) => letter.toUpperCase())}`;

const response = v.tuple([
  v.literal(1),
  v.number(),
  v.nullable(v.object({ error: v.string(), message: v.string() })),
  v.unknown(),
]);

/** Selenium puts an element's id into an object, under a long name. A frame's id is its number. */
const parameters = v.looseObject({ id: v.optional(v.union([v.number(), v.record(v.string(), v.string())])) });

/** What the browser sends: texts of JSON, each behind its length and a colon. */
const messagesOf = async function* (socket: Socket): AsyncGenerator<unknown, undefined> {
  let received = Buffer.alloc(0);
  for await (const chunk of socket) {
    received = Buffer.concat([received, chunk]);
    for (let colon = received.indexOf(':'); colon > 0; colon = received.indexOf(':')) {
      const end = colon + 1 + Number(received.subarray(0, colon));
      if (received.length < end) break;
      yield JSON.parse(received.subarray(colon + 1, end).toString());
      received = received.subarray(end);
    }
  }
};

/**
 * Lets Selenium speak to Firefox without geckodriver, which Debian does not package, and which npm's package fetches without a
 * hash. geckodriver translates WebDriver's HTTP into Marionette, which has the same commands, parameters and results:
 * https://firefox-source-docs.mozilla.org/testing/marionette/Protocol.html
 */
export const connectMarionette = async (port: number): Promise<Executor> => {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  const messages = messagesOf(socket);
  v.parse(v.object({ marionetteProtocol: v.literal(3) }), (await messages.next()).value);
  let count = 0;
  const send = async (name: string, values: object): Promise<unknown> => {
    count += 1;
    const message = JSON.stringify([0, count, name, values]);
    socket.write(`${Buffer.byteLength(message)}:${message}`);
    // Tests await each command, so the next message is the response.
    const [, , error, result] = v.parse(response, (await messages.next()).value);
    if (error) throwDecodedError(error);
    return v.is(v.object({ value: v.unknown() }), result) ? result.value : result;
  };
  await send('WebDriver:NewSession', {});
  const execute = (command: Command): Promise<unknown> => {
    const { id, ...others } = v.parse(parameters, command.getParameters());
    const ownId = typeof id === 'object' ? Object.values(id)[0] : id;
    return send(nameOf(command.getName()), { ...others, ...(ownId !== undefined && { id: ownId }) });
  };
  return { execute };
};
