/** Says what is wrong with the settings, and what to write: a line for each error. */
export class SettingsError extends Error {
  override readonly name: string = 'SettingsError';
}
