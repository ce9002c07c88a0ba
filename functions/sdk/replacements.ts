// This folder replaces parts of the SDK that functions do not need on Lambda, because they slow down a cold start
// (docs/decisions.md#the-sdk-without-the-parts-that-functions-do-not-need). After an upgrade of the SDK, expect this:
// - The build fails if the SDK no longer imports a replaced module, or imports something else from it. Compare the module with
//   its replacement, then change or delete the row below and the replacement.
// - test/functions/sdk/upgrade.test.ts fails if the SDK's middlewares have other tags, or if a bundle needs a module that it
//   leaves out.
// - test/functions/shared/dynamodb.test.ts fails if the SDK hands its protocol, endpoints or errors over in another way.
// - New settings that the SDK looks up only cost time: `npm run bench:gate`, `npm run bench -- cold`.

/** A module that bundles replace. */
interface Replacement {
  /** How files import it. */
  readonly imported: RegExp;
  /** Files that get the replacement. Without it, all. */
  readonly importer?: RegExp;
  /** A file of this folder. It must not import a client: the SDK's modules would run in the wrong order, and fail. */
  readonly file: string;
}

export const replacements: readonly Replacement[] = [
  { imported: /^@aws-sdk\/credential-provider-node$/, file: 'credentials.ts' },
  { imported: /^@aws-sdk\/core\/protocols$/, importer: /client-dynamodb/, file: 'dynamodb-protocol.ts' },
  { imported: /^@aws-sdk\/dynamodb-codec$/, importer: /client-dynamodb/, file: 'dynamodb-protocol.ts' },
  { imported: /^@aws-sdk\/middleware-endpoint-discovery$/, file: 'config.ts' },
  { imported: /\/loadSharedConfigFiles$/, file: 'config.ts' },
  { imported: /\/endpointResolver$/, importer: /client-dynamodb/, file: 'dynamodb-endpoint.ts' },
];
