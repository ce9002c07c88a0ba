import packageJson from '../../package.json' with { type: 'json' };

const versions: Readonly<Record<string, string>> = packageJson.dependencies;

/** What the app has that takes the service in: two copies of the CDK know nothing of each other's constructs. */
const peers = ['aws-cdk-lib', 'constructs'];

/** @throws {Error} for what the project itself has for development only */
const versionOf = (name: string): string => {
  const version = versions[name];
  if (version === undefined) throw new Error(`The package would need ${name}, which is for development only.`);
  return version;
};

/** The program, and what is imported, by their files. */
export const program = 'bin/crcs.cjs';
export const entry = 'lib/infrastructure/own-app';

/**
 * The package's own package.json, made of the project's.
 * @param imported the packages that its files import
 */
export const manifestOf = (imported: ReadonlySet<string>) => {
  const needed = [...imported].filter((name) => !peers.includes(name)).toSorted();
  const { name, version, description, license } = packageJson;
  return {
    name,
    version,
    description,
    license,
    type: 'module',
    exports: { '.': { types: `./${entry}.d.ts`, default: `./${entry}.js` }, './package.json': './package.json' },
    bin: { crcs: program },
    // The first that gives an ES module to a CDK app of CommonJS.
    engines: { node: '>=22.12' },
    dependencies: Object.fromEntries(needed.map((each) => [each, versionOf(each)])),
    peerDependencies: Object.fromEntries(peers.map((each) => [each, `^${versionOf(each)}`])),
  };
};
