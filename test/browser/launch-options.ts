import type { LaunchOptions } from 'playwright-core';

export const launchOptions: LaunchOptions = {
  // Debian's package, unless CHROMIUM names another.
  executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
  args: [
    // Chromium refuses to run as root with its sandbox, and containers run as root.
    '--no-sandbox',
    '--disable-gpu',
    // Nothing but the pages under test may use the network.
    '--disable-quic',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
    '--no-first-run',
  ],
};
