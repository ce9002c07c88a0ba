import { join } from 'node:path';
import type { Plugin } from 'esbuild';

const folder = join(import.meta.dirname, '..', '..', 'functions', 'stand-ins');

/** Parts of the SDK that no function can reach on Lambda, by how they are imported, and the file that stands there instead. */
const standIns = [
  [/^@aws-sdk\/credential-provider-node$/, 'credentials.ts'],
  [/^@aws-sdk\/middleware-endpoint-discovery$/, 'endpoint-discovery.ts'],
  [/^@smithy\/core\/event-streams$/, 'event-streams.ts'],
  [/\/loadSharedConfigFiles$/, 'shared-config-files.ts'],
] as const;

/** Leaves these parts out of the bundles. One that the SDK no longer imports so fails the build. */
export const withStandIns: Plugin = {
  name: 'stand-ins',
  setup: (esbuild) => {
    for (const [filter, file] of standIns) {
      let isUsed = false;
      esbuild.onResolve({ filter }, () => {
        isUsed = true;
        return { path: join(folder, file) };
      });
      esbuild.onEnd(({ errors }) =>
        isUsed || errors.length > 0
          ? undefined
          : { errors: [{ text: `Nothing imports what functions/stand-ins/${file} stands for: look where it went.` }] },
      );
    }
  },
};
