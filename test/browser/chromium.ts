import type { LaunchOptions } from 'playwright-core';

/** Where the browser is: `CHROMIUM` says it when Debian's package is not there. */
export const executablePath = process.env['CHROMIUM'] ?? '/usr/bin/chromium';

export const launchOptions: LaunchOptions = {
  executablePath,
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
