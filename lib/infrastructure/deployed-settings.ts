import * as v from 'valibot';
import packageJson from '../../package.json' with { type: 'json' };
import type { Environment } from './settings.ts';

/** What a stack says of itself in its output `Settings`, for the commands that act on what is deployed. */
const deployedSettings = v.object({
  /** That of package.json. */
  version: v.string(),
  retainData: v.boolean(),
  /** After how many days a contact request is deleted; absent: never. */
  retentionDays: v.optional(v.number()),
  /** The names that its settings give the tables; absent: the stack has made its own. */
  existingTables: v.optional(v.object({ contacts: v.string(), campaigns: v.string(), tokens: v.string() })),
  /** Whether those that it names are told nothing for now. */
  notificationsPaused: v.optional(v.boolean()),
  /** The names of its custom domains. */
  domains: v.optional(v.array(v.string())),
});

export type DeployedSettings = v.InferOutput<typeof deployedSettings>;

/** The output's text. */
export const toDeployedSettings = (environment: Environment): string => {
  const { retainData, retentionDays, existingTables, notifications } = environment;
  const domains = environment.customDomains.map(({ name }) => name);
  return JSON.stringify({
    version: packageJson.version,
    retainData,
    retentionDays,
    existingTables,
    ...(notifications?.paused && { notificationsPaused: true }),
    ...(domains.length > 0 && { domains }),
  } satisfies DeployedSettings);
};

/** The settings in a stack's outputs; nothing if they cannot be read. */
export const deployedSettingsIn = (
  outputs: Readonly<Record<string, string | undefined>>,
): DeployedSettings | undefined => {
  const result = v.safeParse(v.pipe(v.string(), v.parseJson(), deployedSettings), outputs['Settings']);
  return result.success ? result.output : undefined;
};

/** The custom domains of a stack's API, by its outputs. */
export const domainsIn = (outputs: Readonly<Record<string, string | undefined>>): readonly string[] =>
  deployedSettingsIn(outputs)?.domains ?? [];
