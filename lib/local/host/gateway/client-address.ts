import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';

const familyOf = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4');

/** Addresses, and networks such as `10.0.0.0/8`. @throws {Error} if one is neither */
export const networksOf = (texts: readonly string[]): BlockList => {
  const list = new BlockList();
  for (const text of texts) {
    const [address = '', bits] = text.split('/');
    if (bits === undefined) list.addAddress(address, familyOf(address));
    else list.addSubnet(address, /^\d+$/.test(bits) ? Number(bits) : Number.NaN, familyOf(address));
  }
  return list;
};

/** An IPv4 address that a socket for both families shows as an IPv6 address. */
const withoutMapping = (address: string) => address.replace(/^::ffff:(?=\d+\.)/i, '');

/** Some proxies add the port. */
const withoutPort = (entry: string) => /^(?:\[(.+)\]|([^:]+)):\d+$/.exec(entry)?.slice(1).find(Boolean) ?? entry;

/**
 * The address of the client: the last entry of `X-Forwarded-For` if the peer is a trusted proxy, which has added that entry, or
 * else the peer's. Earlier entries can be the client's own invention.
 */
export const clientAddressOf = (
  { socket: { remoteAddress = '' }, headers: { 'x-forwarded-for': forwarded = '' } }: IncomingMessage,
  trusted: BlockList,
): string => {
  const peer = withoutMapping(remoteAddress);
  if (isIP(peer) === 0 || !trusted.check(peer, familyOf(peer))) return peer;
  const entry = withoutMapping(withoutPort([forwarded].flat().join().split(',').at(-1)?.trim() ?? ''));
  return isIP(entry) === 0 ? peer : entry;
};

/** The first 64 bits of an IPv6 address, since a household has all the others; an IPv4 address as it is. */
export const networkOfClient = (address: string): string => {
  if (isIP(address) !== 6) return address;
  const [head = '', tail] = address.replace(/%.*$/, '').toLowerCase().split('::');
  const groups = head === '' ? [] : head.split(':');
  const last = tail === undefined || tail === '' ? [] : tail.split(':');
  // An IPv4 address at the end takes the room of two groups.
  const taken = groups.length + last.length + (address.includes('.') ? 1 : 0);
  const all = [...groups, ...Array.from({ length: 8 - taken }, () => '0'), ...last];
  return all
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':');
};
