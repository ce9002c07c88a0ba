import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import PostalMime from 'postal-mime';
import { SMTPServer } from 'smtp-server';

/** An email that arrived. */
export interface Arrived {
  readonly to: readonly string[];
  readonly subject: string;
  readonly text: string;
}

/** A mail server with TLS, which takes emails from one user. */
export interface MailServer extends AsyncDisposable {
  readonly port: number;
  readonly arrived: readonly Arrived[];
  /** Refuses every email for now, as a server does that is out of order. */
  isDown: boolean;
}

export const startMailServer = async (
  tls: { readonly cert: Buffer; readonly key: Buffer },
  user: { readonly name: string; readonly password: string },
): Promise<MailServer> => {
  const arrived: Arrived[] = [];
  const state = { isDown: false };
  const server = new SMTPServer({
    ...tls,
    secure: true,
    logger: false,
    onAuth: ({ username, password }, _session, respond) => {
      const isUser = username === user.name && password === user.password;
      respond(isUser ? null : new Error('Unknown user'), { user: username });
    },
    onData: async (stream, { envelope }, respond) => {
      const content = await buffer(stream).catch(() => undefined);
      // The client was killed in the middle of it.
      if (!content) return;
      if (state.isDown) return respond(Object.assign(new Error('Out of order'), { responseCode: 451 }));
      const { subject = '', text = '' } = await PostalMime.parse(content);
      arrived.push({ to: envelope.rcptTo.map(({ address }) => address), subject, text });
      respond();
    },
  });
  // A client that is killed closes its connection.
  server.on('error', () => {});
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  // An address of a socket that listens on a port.
  const { port } = server.server.address() as AddressInfo;
  return Object.assign(state, {
    port,
    arrived,
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => server.close(resolve)),
  });
};
