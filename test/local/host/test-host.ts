import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App, Duration, Stack } from 'aws-cdk-lib';
import { LambdaIntegration, RestApi, type RestApiProps } from 'aws-cdk-lib/aws-apigateway';
import { Code, Function as LambdaFunction, Runtime } from 'aws-cdk-lib/aws-lambda';
import { startHost } from '../../../lib/local/host/host.ts';
import type { Assembly } from '../../../lib/local/host/template/template.ts';
import { createManualClock } from './manual-clock.ts';

/** A stack under test. */
export class TestStack extends Stack {
  readonly #folder: string;

  constructor(app: App, folder: string) {
    super(app, 'Test');
    this.#folder = folder;
  }

  /** A function whose bundle is the given source of an ES module. */
  function(id: string, source: string, { seconds = 5, ...props }: { seconds?: number; memorySize?: number } = {}) {
    const bundle = join(this.#folder, 'bundles', id);
    mkdirSync(bundle, { recursive: true });
    writeFileSync(join(bundle, 'index.mjs'), source);
    return new LambdaFunction(this, id, {
      runtime: Runtime.NODEJS_24_X,
      handler: 'index.handler',
      code: Code.fromAsset(bundle),
      timeout: Duration.seconds(seconds),
      ...props,
    });
  }

  /** A function that answers every request with an expression of its `event` and `context`, as JSON. */
  echo(id: string, expression: string) {
    return this.function(
      id,
      `export const handler = async (event, context) => ({ statusCode: 200, body: JSON.stringify(${expression}) });`,
    );
  }

  /** An API with the functions at these methods, such as `GET /things/{id}`. */
  api(methods: Readonly<Record<string, LambdaFunction>>, props: RestApiProps = {}) {
    const api = new RestApi(this, 'Api', { cloudWatchRole: false, ...props });
    for (const [method, target] of Object.entries(methods)) {
      const [httpMethod = '', path = ''] = method.split(' ');
      api.root.resourceForPath(path).addMethod(httpMethod, new LambdaIntegration(target));
    }
    return api;
  }
}

/** A folder of its own for a test, and what removes it. */
export const temporaryFolder = () => {
  const folder = mkdtempSync(join(tmpdir(), 'local-host-'));
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
};

/** Synthesizes a stack into a folder. */
export const synthesize = (folder: string, build: (stack: TestStack) => void): Assembly => {
  const app = new App({
    outdir: join(folder, 'cdk.out'),
    analyticsReporting: false,
    builtinCloudFormationValidation: false,
    stackTraces: false,
    treeMetadata: false,
  });
  build(new TestStack(app, folder));
  return { directory: app.synth().directory, stackName: 'Test' };
};

/** A log that can be waited for. */
const createLog = () => {
  const lines: string[] = [];
  const waiting = new Set<() => void>();
  return {
    log: (source: string, line: string): void => {
      lines.push(`${source}: ${line}`);
      for (const check of waiting) check();
    },
    /** The first line that holds the text, once there is one. */
    logged: (text: string): Promise<string> =>
      new Promise((resolve) => {
        const check = () => {
          const found = lines.find((line) => line.includes(text));
          if (found === undefined) return;
          waiting.delete(check);
          resolve(found);
        };
        waiting.add(check);
        check();
      }),
  };
};

/** Serves a stack, on a clock that the test moves. */
export const serve = async (build: (stack: TestStack) => void) => {
  const { folder, remove } = temporaryFolder();
  const clock = createManualClock();
  const { log, logged } = createLog();
  const host = await startHost({
    dataDir: folder,
    synthesize: async () => synthesize(folder, build),
    port: 0,
    clock,
    log,
  });
  return {
    ...host,
    dataDir: folder,
    clock,
    logged,
    stop: async () => {
      await host.close();
      remove();
    },
  };
};

/** A stack that is served. */
export type Served = Awaited<ReturnType<typeof serve>>;
