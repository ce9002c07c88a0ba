// Loaded into a command before its own code: DNS finds no host but this machine.
const dns = require('node:dns');

const { lookup } = dns;

dns.lookup = (hostname, ...rest) => {
  if (hostname === 'localhost') return lookup(hostname, ...rest);
  const error = Object.assign(new Error(`getaddrinfo ENOTFOUND ${hostname}`), { code: 'ENOTFOUND', hostname });
  return process.nextTick(rest.at(-1), error);
};
