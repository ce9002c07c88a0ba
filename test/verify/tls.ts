import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type ConnectionOptions, connect, type SecureVersion } from 'node:tls';

/** @returns the agreed version and cipher; undefined if the server refuses */
const agreed = async (host: string, options: ConnectionOptions): Promise<string | undefined> => {
  const socket = connect({ host, servername: host, port: 443, ...options });
  try {
    await once(socket, 'secureConnect');
    return `${socket.getProtocol()} with ${socket.getCipher().name}`;
  } catch (error) {
    // Alerts of the server and a closed connection; others, such as of DNS or of OpenSSL here, say nothing about the server.
    if (error instanceof Error && 'code' in error && /^(ERR_SSL_.*ALERT|ECONNRESET)/.test(String(error.code))) {
      return undefined;
    }
    throw error;
  } finally {
    socket.destroy();
  }
};

const only = (version: SecureVersion, ciphers?: string): ConnectionOptions => ({
  minVersion: version,
  maxVersion: version,
  ...(ciphers && { ciphers }),
});

/**
 * The endpoint speaks TLS 1.2 and 1.3, with forward secrecy, and nothing older.
 * @param say gets a line for each offer
 */
export const checkTls = async (baseUrl: string, say: (what: string) => void): Promise<void> => {
  const { hostname } = new URL(baseUrl);
  // At level 0, OpenSSL itself offers what is old.
  const offers = [
    { offer: 'TLS 1.3', options: only('TLSv1.3'), accepted: true },
    { offer: 'TLS 1.2', options: only('TLSv1.2'), accepted: true },
    { offer: 'TLS 1.2 without forward secrecy', options: only('TLSv1.2', 'AES128-GCM-SHA256'), accepted: false },
    { offer: 'TLS 1.1', options: only('TLSv1.1', 'DEFAULT@SECLEVEL=0'), accepted: false },
    { offer: 'TLS 1.0', options: only('TLSv1', 'DEFAULT@SECLEVEL=0'), accepted: false },
  ];
  const wrong: string[] = [];
  for (const { offer, options, accepted } of offers) {
    const found = await agreed(hostname, options);
    say(`${offer}: ${found ?? 'refused'}`);
    if ((found !== undefined) !== accepted) wrong.push(offer);
  }
  assert.deepEqual(wrong, []);
};
