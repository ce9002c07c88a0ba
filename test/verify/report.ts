import { homedir, hostname } from 'node:os';
import { stripVTControlCharacters } from 'node:util';
import type { Step } from '../rehearsal/steps.ts';
import { projectDir } from '../support/command.ts';

/** Texts that identify an account, a deployment, a machine or a person, each with what takes its place, in this order. */
const identifying: readonly (readonly [pattern: RegExp, shown: string])[] = [
  [/\b(?:crcs_|whsec_)[\w+/=-]+/g, '<token>'],
  [/\b(?:AKIA|ASIA)[A-Z0-9]{12,}/g, '<access key>'],
  // These can name people: `assumed-role/Admin/jane@example.com`.
  [/\barn:aws[\w-]*:(?:iam|sts):[^\s"'`,;)\]]*/g, '<principal>'],
  [/[\w.!#$%&'*+/=?^`{|}~-]+@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)*/gu, '<address>'],
  [/\b([a-z][a-z\d+.-]*:\/\/)[^\s/?#"'`<>)\]]+/gi, '$1<host>'],
  [/\b(?:[\w-]+\.)+(?:amazonaws\.com(?:\.cn)?|on\.aws|api\.aws)\b/gi, '<host>'],
  [/\/restapis\/\w+/g, '/restapis/<id>'],
  [/(?<!\d)\d{12}(?!\d)|(?<!\d)\d{4}-\d{4}-\d{4}(?!\d)/g, '<account>'],
  [/(?<![\d.])\d{1,3}(?:\.\d{1,3}){3}(?![\d.])/g, '<ip>'],
  [/(?<![\w:])[\da-f]{0,4}(?::[\da-f]{0,4}){3,7}(?![\w:])/gi, '<ip>'],
  [/(?:\/home\/|\/Users\/|[A-Z]:\\Users\\)[^\s/\\:'"]+/g, '<home>'],
];

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&');

/**
 * Removes what identifies the volunteer: accounts, hosts, tokens, addresses, people.
 * @param known what only this run knows, such as the sender's address
 */
export const redact = (text: string, known: readonly string[] = []): string => {
  const withoutKnown = known
    .filter((value) => value.length > 2)
    .toSorted((one, other) => other.length - one.length)
    .reduce(
      (rest, value) => rest.replace(new RegExp(`(?<![\\w-])${escaped(value)}(?![\\w-])`, 'gi'), '<private>'),
      stripVTControlCharacters(text),
    );
  return identifying.reduce((rest, [pattern, shown]) => rest.replace(pattern, shown), withoutKnown);
};

/** Variables of the shell whose values are secret, or name someone. */
const ownVariables = /^(?:AWS_(?:PROFILE|ACCESS_KEY_ID|SECRET_ACCESS_KEY|SESSION_TOKEN)|https?_proxy)$/i;

/** A variable's value, and the host in it, which an error names alone. */
const textsOf = (value = ''): string[] => [value, URL.parse(value)?.hostname ?? ''];

/** What is private on this machine. */
export const ownTexts = (variables: NodeJS.ProcessEnv): string[] => {
  const values = Object.keys(variables).filter((name) => ownVariables.test(name));
  return [projectDir, homedir(), hostname(), ...values.flatMap((name) => textsOf(variables[name]))].filter(
    (text) => !['', 'default', '/root', 'localhost', '127.0.0.1'].includes(text),
  );
};

/** A run of `npm run verify`. */
export interface Run {
  /** Facts about the run, in the order of the report. */
  readonly facts: Readonly<Record<string, string>>;
  readonly steps: readonly Step[];
  /** What the run could not show, with the reasons. */
  readonly gaps: readonly string[];
}

/** The last lines of an error: a command's output can be long. */
const linesOf = (error: unknown): string[] =>
  (error instanceof Error ? error.message : String(error)).trimEnd().split('\n').slice(-60);

const outcomeOf = ({ error }: Step) => (error === undefined ? 'passed' : '**failed**');

/** One Markdown document, which can be published. @param known see `redact` */
export const reportOf = ({ facts, steps, gaps }: Run, known: readonly string[]): string => {
  const failed = steps.filter(({ error }) => error !== undefined);
  const lines = [
    '# Verification on AWS',
    '',
    failed.length === 0 ? `All ${steps.length} steps passed.` : `${failed.length} of ${steps.length} steps failed.`,
    '',
    ...Object.entries(facts).map(([name, fact]) => `- ${name}: ${fact}`),
    '',
    '| step | outcome | seconds |',
    '|---|---|---:|',
    ...steps.map((step) => `| ${step.name} | ${outcomeOf(step)} | ${step.seconds.toFixed(0)} |`),
    ...steps
      .filter(({ said, error }) => said.length > 0 || error !== undefined)
      .flatMap(({ name, said, error }) => [
        '',
        `## ${name}`,
        '',
        ...said.map((what) => `- ${what}`),
        // Indented, so that no output ends the block.
        ...(error === undefined ? [] : ['', ...linesOf(error).map((line) => `    ${line}`)]),
      ]),
    ...(gaps.length === 0 ? [] : ['', '## Not shown', '', ...gaps.map((gap) => `- ${gap}`)]),
    '',
  ];
  return redact(lines.join('\n'), known);
};
