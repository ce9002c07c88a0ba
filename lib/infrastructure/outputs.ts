import * as v from 'valibot';
import { targetKinds } from '../../functions/notify/target.ts';
import packageJson from '../../package.json' with { type: 'json' };
import type { TableNames } from '../shared/environment-tables.ts';
import { confirms } from './confirmation-settings.ts';
import type { Environment } from './settings.ts';

/** The outputs of a stack, by their names. */
type Outputs = Readonly<Record<string, string | undefined>>;

const deployedSettings = v.object({
  /** The version of this project. */
  version: v.string(),
  retainData: v.boolean(),
  /** Days after which a contact request is deleted; absent: never. */
  retentionDays: v.optional(v.number()),
  /** The forms that have another number of days, by name; absent: none. */
  retentionDaysOfForms: v.optional(v.array(v.tuple([v.string(), v.number()]))),
  /** Absent: the stack created its tables. */
  existingTables: v.optional(v.object({ contacts: v.string(), campaigns: v.string(), tokens: v.string() })),
  /** Absent: the stack created its bucket of files, if it has one. */
  existingBucket: v.optional(v.string()),
  /** Files are scanned. */
  scansFiles: v.optional(v.boolean()),
  notificationsPaused: v.optional(v.boolean()),
  triage: v.optional(v.boolean()),
  /** The most confirmations in an hour; absent: there are none. */
  confirmationsPerHour: v.optional(v.number()),
  /** The names of the custom domains. */
  domains: v.optional(v.array(v.string())),
});

/** The settings in a stack's output `Settings`, for commands that work on the deployed service. */
export type DeployedSettings = v.InferOutput<typeof deployedSettings>;

/** The value of the output `Settings`. */
export const settingsOutput = (environment: Environment): string => {
  const { retainData, retentionDays, forms, existingTables, notifications, triage, domains, files } = environment;
  const ofForms = Object.entries(forms).flatMap(([name, { retentionDays: days }]): [string, number][] =>
    days === undefined ? [] : [[name, days]],
  );
  return JSON.stringify({
    version: packageJson.version,
    retainData,
    retentionDays,
    ...(ofForms.length > 0 && { retentionDaysOfForms: ofForms }),
    existingTables,
    existingBucket: files?.existingBucket,
    ...(files?.scan && { scansFiles: true }),
    ...(notifications?.paused && { notificationsPaused: true }),
    ...(triage && { triage }),
    ...(confirms(environment) && { confirmationsPerHour: environment.confirmationsPerHour }),
    ...(domains.length > 0 && { domains: domains.map(({ name }) => name) }),
  } satisfies DeployedSettings);
};

/** The settings in a stack's outputs; undefined if they cannot be read. */
export const deployedSettingsIn = (outputs: Outputs): DeployedSettings | undefined => {
  const result = v.safeParse(v.pipe(v.string(), v.parseJson(), deployedSettings), outputs['Settings']);
  return result.success ? result.output : undefined;
};

const tableNames = v.pipe(
  v.object({ ContactsTable: v.string(), CampaignsTable: v.string(), TokensTable: v.string() }),
  v.transform((outputs) => ({
    contacts: outputs.ContactsTable,
    campaigns: outputs.CampaignsTable,
    tokens: outputs.TokensTable,
  })),
);

/** The tables' names in a stack's outputs; undefined if one is missing. */
export const tableNamesIn = (outputs: Outputs): TableNames | undefined => {
  const result = v.safeParse(tableNames, outputs);
  return result.success ? result.output : undefined;
};

const deployedTarget = v.object({
  /** Its name in logs and metrics, which shows no address. */
  name: v.string(),
  kind: v.picklist(targetKinds),
  /** The email address, the part of a URL that is not secret, or the name of the secret that holds a URL. */
  address: v.string(),
  /** The ARN of the secret that signs its notifications, if the stack made one. */
  secret: v.optional(v.string()),
});

/** A target of notifications in a stack's outputs. */
export type DeployedTarget = Readonly<v.InferOutput<typeof deployedTarget>>;

const confirmationOutputs = v.pipe(
  v.object({ ConfirmFunction: v.string(), ConfirmationSet: v.string() }),
  v.transform((outputs) => ({ confirmFunction: outputs.ConfirmFunction, configurationSet: outputs.ConfirmationSet })),
);

/** What sends confirmations, in a stack's outputs; undefined if there are none. */
export const confirmationIn = (outputs: Outputs): v.InferOutput<typeof confirmationOutputs> | undefined => {
  const result = v.safeParse(confirmationOutputs, outputs);
  return result.success ? result.output : undefined;
};

const servedBy = v.object({
  /** The name of the function that delivers to every target. */
  NotifyFunction: v.string(),
  /** The name of the function that chooses the targets of each contact request. Stacks of 4.0.0 lack it. */
  FanOutFunction: v.optional(v.string()),
  DeadLetters: v.string(),
});

/** The targets by name, and what serves them. */
export interface DeployedTargets {
  readonly targets: readonly DeployedTarget[];
  readonly notifyFunction: string;
  readonly fanOutFunction?: string | undefined;
  /** The URL of the dead-letter queue. */
  readonly deadLetters: string;
}

/** The targets in a stack's outputs; undefined if there are none. */
export const targetsIn = (outputs: Outputs): DeployedTargets | undefined => {
  const found = v.safeParse(servedBy, outputs);
  if (!found.success) return undefined;
  const targets = Object.entries(outputs).flatMap(([name, value]) =>
    /^Notify(?!Function$)/.test(name) ? [v.parse(v.pipe(v.string(), v.parseJson(), deployedTarget), value)] : [],
  );
  return {
    targets: targets.toSorted((one, other) => (one.name < other.name ? -1 : 1)),
    notifyFunction: found.output.NotifyFunction,
    fanOutFunction: found.output.FanOutFunction,
    deadLetters: found.output.DeadLetters,
  };
};
