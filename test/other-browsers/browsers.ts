import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Builder, Session, WebDriver } from 'selenium-webdriver';
import { onTestFinished, vi } from 'vitest';
import { unusedUrl } from '../support/server.ts';
import { connectMarionette } from './marionette.ts';

interface Options {
  /** Whether pages may run scripts. */
  readonly javaScript: boolean;
}

/** What the browsers need, from Debian. */
export const programs = ['firefox-esr', 'WebKitWebDriver', 'Xvfb'] as const;

// Pages show times in the browser's zone.
const env = { ...process.env, TZ: 'UTC' };

const patience = { timeout: 30_000 };

/** Ends a process with the test. What was started last ends first. */
const endWithTest = (child: ChildProcess) =>
  onTestFinished(async () => {
    const exited = once(child, 'exit');
    if (child.kill()) await exited;
  });

const startFirefox = async ({ javaScript }: Options): Promise<WebDriver> => {
  const profile = await mkdtemp(join(tmpdir(), 'firefox-'));
  onTestFinished(() => rm(profile, { recursive: true }));
  // Port 0 stands for any free one.
  const preferences = { 'javascript.enabled': javaScript, 'marionette.port': 0 };
  const lines = Object.entries(preferences).map(([name, value]) => `user_pref("${name}", ${value});\n`);
  await writeFile(join(profile, 'user.js'), lines);
  endWithTest(spawn('firefox-esr', ['--headless', '--marionette', '--profile', profile], { env, stdio: 'ignore' }));
  const port = await vi.waitFor(async () => {
    const text = await readFile(join(profile, 'MarionetteActivePort'), 'utf8');
    if (text === '') throw new Error('Firefox has not written its port yet.');
    return Number(text);
  }, patience);
  return new WebDriver(new Session('', {}), await connectMarionette(port));
};

const startWebKit = async ({ javaScript }: Options): Promise<WebDriver> => {
  // WebKit's MiniBrowser needs a display.
  const display = spawn('Xvfb', ['-displayfd', '1', '-screen', '0', '1600x1200x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  endWithTest(display);
  const [number] = await once(createInterface(display.stdout), 'line');
  const url = await unusedUrl();
  const args = [`--port=${new URL(url).port}`];
  endWithTest(spawn('WebKitWebDriver', args, { env: { ...env, DISPLAY: `:${number}` }, stdio: 'ignore' }));
  await vi.waitFor(() => fetch(`${url}/status`), patience);
  return new Builder()
    .usingServer(url)
    .withCapabilities({
      browserName: 'MiniBrowser',
      'webkitgtk:browserOptions': { args: ['--automation', `--enable-javascript=${javaScript}`] },
    })
    .build();
};

/** What starts a browser until the test ends. */
export const starters = { Firefox: startFirefox, WebKit: startWebKit } as const;
