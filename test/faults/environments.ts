import { environments as ofTests } from '../support/environments.ts';

/** Those of the tests, with files. */
export const environments = {
  ...ofTests,
  dev: { ...ofTests.dev, webAcl: true, files: {}, forms: { application: { files: true } } },
};

/** These settings as a value of `CRCS_SETTINGS`. */
export const settingsFile = import.meta.filename;
