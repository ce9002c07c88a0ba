import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, open, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { devNull } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { CommandError, run, signalGroup } from '../support/command.ts';
import { installPythonPackages } from '../support/install.ts';
import { unusedUrl } from '../support/server.ts';
import { ofThisMachine } from '../support/until.ts';
import type { Cloud } from './cloud.ts';
import { withFront } from './front.ts';
import { lackedCapabilities } from './limits.ts';
import type { Certificate } from './receiver.ts';
import { cacheDir } from './settings.ts';

export const region = 'eu-central-1';

/** The emulator accepts these credentials as those of the account's root user. */
export const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };

/** Its temporary files: the functions' code, its certificate. */
const stateDir = join(cacheDir, 'state');
const certificateFile = join(stateDir, 'ministack-tls', 'server.crt');
const keyFile = join(stateDir, 'ministack-tls', 'server.key');
const mailDir = join(stateDir, 'mail');

/** How long it may take to start and to stop, in milliseconds. */
const patience = 30_000;

/** Without the operator's own AWS settings: nothing here may reach a real account. */
export const ownEnvironment = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^(AWS|CDK)_/.test(name)),
);

/** @returns the folder of Python's programs */
const installPython = async (signal: AbortSignal) => {
  const options = { env: ownEnvironment, signal };
  await run('openssl', ['version'], options);
  return installPythonPackages('rehearsal/python', join(import.meta.dirname, 'requirements.txt'), options);
};

/** Installs the emulator at the version of requirements.txt. @returns the Python that runs it */
export const installEmulator = async (signal: AbortSignal): Promise<string> => {
  const programs = await installPython(signal).catch((error: unknown) => {
    if (!(error instanceof CommandError)) throw error;
    const needs = "OpenSSL, Python 3.10 or later with its module venv, and Python's package index";
    throw new CommandError(`The rehearsal needs ${needs}. ${error.message.trimEnd().split('\n').at(-1)}`);
  });
  return join(programs, 'python');
};

/** The emulator at an endpoint, as a cloud. @param env for a command that is to take it for AWS */
export const emulatedCloud = (endpoint: string, env: NodeJS.ProcessEnv): Cloud => ({
  env,
  // No other machine responds.
  staffEnv: { NODE_USE_ENV_PROXY: '1', HTTPS_PROXY: 'http://127.0.0.1:9' },
  app: 'test/rehearsal/app.ts',
  lacks: lackedCapabilities,
  patience: ofThisMachine,
  movesMessages: false,
  withApi: (url, use) => withFront(endpoint, url, use),
});

/** A running emulator. */
export interface Emulator {
  /** The AWS API. */
  readonly endpoint: string;
  /** For a command that is to take the emulator for AWS. */
  readonly env: NodeJS.ProcessEnv;
  /** The log of the emulator and the functions so far. */
  log(): Promise<string>;
  /** The mails that SES accepted, as the functions asked for them: JSON. */
  mails(): Promise<string[]>;
  /** For a server that the functions trust. */
  readonly certificate: Certificate;
  stop(): Promise<void>;
}

/** Makes this process, too, trust the certificate that the emulator has made for itself. */
const trust = (certificate: string) => {
  setDefaultCACertificates([...new Set([...getCACertificates('default'), certificate])]);
  // Otherwise clients would trust the shell's bundle alone.
  delete process.env['AWS_CA_BUNDLE'];
};

const end = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode === null && child.signalCode === null) {
    const exited = once(child, 'exit');
    signalGroup(child, 'SIGTERM');
    await Promise.race([exited, setTimeout(patience, undefined, { ref: false })]);
  }
  // Also the functions, which are processes, of its group.
  signalGroup(child, 'SIGKILL');
};

/**
 * Starts an empty emulator on a free port of the loopback interface. As on AWS, it takes TLS only (the bucket that
 * `cdk bootstrap` makes denies anything else) and checks who may do what: a function can do what its role allows.
 */
export const startEmulator = async (python: string, signal: AbortSignal): Promise<Emulator> => {
  await rm(stateDir, { recursive: true, force: true });
  await mkdir(mailDir, { recursive: true });
  // The emulator puts a script of its own beside each function's code, in CommonJS; this project says "module".
  await writeFile(join(stateDir, 'package.json'), '{ "type": "commonjs" }');
  const { port } = new URL(await unusedUrl());
  const endpoint = `https://127.0.0.1:${port}`;
  const logFile = join(cacheDir, 'ministack.log');
  const log = () => readFile(logFile, 'utf8');

  const file = await open(logFile, 'w');
  const child = spawn(python, [join(import.meta.dirname, 'emulator.py')], {
    // Nothing else of this process's environment: the functions would inherit it.
    env: {
      HOME: stateDir,
      // The functions run on this process's Node.
      PATH: [dirname(process.execPath), process.env['PATH']].join(delimiter),
      TMPDIR: stateDir,
      BIND_HOST: '127.0.0.1',
      GATEWAY_PORT: port,
      MINISTACK_REGION: region,
      AUTH: 'true',
      USE_SSL: '1',
      IOT_MTLS_ENABLED: '0',
      MAILS: mailDir,
      // Its parts stand beside this file.
      PYTHONDONTWRITEBYTECODE: '1',
    },
    detached: true,
    stdio: ['ignore', file.fd, file.fd],
  });
  await file.close();
  const stop = async () => {
    await end(child);
    await rm(stateDir, { recursive: true, force: true });
  };

  const isReady = async () => {
    try {
      trust(await readFile(certificateFile, 'utf8'));
      return (await fetch(`${endpoint}/_ministack/ready`, { signal })).ok;
    } catch {
      return false;
    }
  };
  const deadline = Date.now() + patience;
  while (!(await isReady())) {
    if (signal.aborted || child.exitCode !== null || Date.now() > deadline) {
      await stop();
      signal.throwIfAborted();
      throw new Error(`The emulator did not start:\n${(await log()).trimEnd().split('\n').slice(-20).join('\n')}`);
    }
    await setTimeout(100);
  }

  return {
    endpoint,
    log,
    mails: async () => Promise.all((await readdir(mailDir)).map((name) => readFile(join(mailDir, name), 'utf8'))),
    certificate: { cert: await readFile(certificateFile, 'utf8'), key: await readFile(keyFile, 'utf8') },
    stop,
    env: {
      ...ownEnvironment,
      AWS_ENDPOINT_URL: endpoint,
      AWS_ENDPOINT_URL_S3: endpoint,
      AWS_REGION: region,
      AWS_ACCESS_KEY_ID: credentials.accessKeyId,
      AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
      AWS_CONFIG_FILE: devNull,
      AWS_SHARED_CREDENTIALS_FILE: devNull,
      AWS_CA_BUNDLE: certificateFile,
      NODE_EXTRA_CA_CERTS: certificateFile,
      NO_PROXY: '127.0.0.1,localhost',
      // The CDK keeps caches in the home folder, and its command finds that without HOME.
      HOME: stateDir,
      CDK_HOME: join(stateDir, '.cdk'),
      CDK_DISABLE_CLI_TELEMETRY: 'true',
    },
  };
};
