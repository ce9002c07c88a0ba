import { FileSystem } from 'aws-cdk-lib';
import { Architecture, type AssetCode, Code } from 'aws-cdk-lib/aws-lambda';

/** The processors of all functions. Node has the same name for them. */
export const architecture = Architecture.ARM_64;

/** Two of the same code differ, which is no reason to deploy it again. */
const exclude = ['*.cache'];

/** Whether functions can use the compile cache that was made there. Lambda's machines are Linux. @defaultValue on this machine */
export const takesCompileCache = (made = `${process.platform}-${process.arch}`): boolean =>
  made === `linux-${architecture.name}`;

/**
 * The code of a function, with its compile cache where that fits: a machine makes those of its own kind.
 * @param folder a bundle
 * @param made the system and the processors for which the bundle's compile cache is. @defaultValue those of this machine
 */
export const functionCode = (folder: string, made?: string): AssetCode =>
  Code.fromAsset(
    folder,
    takesCompileCache(made)
      ? { assetHash: FileSystem.fingerprint(folder, { exclude, extraHash: process.version }) }
      : { exclude },
  );
