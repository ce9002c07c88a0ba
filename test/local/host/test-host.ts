import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App, Duration, Stack } from 'aws-cdk-lib';
import { LambdaIntegration, RestApi, type RestApiProps } from 'aws-cdk-lib/aws-apigateway';
import { Code, Function as LambdaFunction, Runtime } from 'aws-cdk-lib/aws-lambda';
import type { Assembly } from '../../../lib/local/host/template/template.ts';

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
