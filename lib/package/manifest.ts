import packageJson from '../../package.json' with { type: 'json' };

const versions: Readonly<Record<string, string>> = packageJson.dependencies;

/** Packages that the app must bring: two copies of the CDK do not recognize each other's constructs. */
const peers = ['aws-cdk-lib', 'constructs'];

/** @throws {Error} if the package is a development dependency */
const versionOf = (name: string): string => {
  const version = versions[name];
  if (version === undefined) throw new Error(`The package would need ${name}, which is for development only.`);
  return version;
};

export const program = 'bin/crcs.cjs';

/** The construct's folder, and in it the file without its extension, which looks for the bundles two folders above. */
export const constructFolder = 'construct';
export const constructEntry = `${constructFolder}/lib/infrastructure/own-app`;

/**
 * The package's package.json, derived from the project's.
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
    // For TypeScript that reads no `exports`: `moduleResolution` "node" is the default of ts-node and of older apps.
    main: `./${constructEntry}.js`,
    types: `./${constructEntry}.d.ts`,
    exports: {
      '.': { types: `./${constructEntry}.d.ts`, default: `./${constructEntry}.js` },
      './package.json': './package.json',
    },
    bin: { crcs: program },
    // The oldest line of Node that is maintained.
    engines: { node: '>=22.12' },
    dependencies: Object.fromEntries(needed.map((each) => [each, versionOf(each)])),
    peerDependencies: Object.fromEntries(peers.map((each) => [each, `^${versionOf(each)}`])),
  };
};
