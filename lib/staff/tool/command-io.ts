import { createInterface } from 'node:readline';
import { type Readable, Writable } from 'node:stream';
import { StaffError } from '../../shared/staff-error.ts';
import { count, type Output, printable, type Style, styleFor } from '../../shared/terminal-text.ts';

/** Streams, waiting and Ctrl-C of a command. A process passes its own, a test passes others. */
export interface Terminal {
  readonly stdin: Readable & { readonly isTTY?: boolean };
  /** For results. */
  readonly stdout: Output & { readonly columns?: number };
  /** For hints, questions, progress and errors. */
  readonly stderr: Output;
  /** Waits for so many milliseconds, or until the signal. */
  readonly wait: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  /** Aborted by Ctrl-C: long work stops after the current step. */
  readonly signal: AbortSignal;
}

/** The progress of long work. Disposing removes it from the terminal. */
interface Progress extends Disposable {
  readonly report: (amount: number) => void;
}

/** What a command needs of the person who runs it, and tells them before its result. */
export interface CommandIo extends Pick<Terminal, 'wait' | 'signal'> {
  /** Whether a terminal shows the result. */
  readonly isTerminal: boolean;
  /** How wide that terminal is; Infinity if there is none, or it does not know. */
  readonly columns: number;
  /** Styles a part of the result. */
  readonly style: Style;
  /** Writes a line to stderr. */
  say(line: string): void;
  /** Writes a line to stderr that must not be overlooked. */
  warn(line: string): void;
  /**
   * Reads a line of the standard input. Asks for it if that is a terminal.
   * @returns undefined at the end of the input
   * @throws what Ctrl-C aborts with
   */
  ask(question: string): Promise<string | undefined>;
  /**
   * Reads a line of the standard input, as `ask` does. A terminal does not show what is typed.
   * @returns undefined at the end of the input
   */
  askSecret(question: string): Promise<string | undefined>;
  /**
   * Asks for consent, unless `--yes` gave it.
   * @param effect lines about what would happen
   * @param amount what the person has to type, if `y` is too easily typed
   * @throws {StaffError} unless a person at a terminal answers `y` or `yes`, or types the amount
   */
  agree(question: string, effect?: string, amount?: number): Promise<void>;
  /** Shows progress such as `1 token read` on a line of stderr, if that is a terminal. */
  progress(noun: string, done: string): Progress;
}

const clearLine = '\r\u001b[K';

/** @param yes whether `--yes` was given */
export const openCommandIo = (terminal: Terminal, yes: boolean): CommandIo & Disposable => {
  const { stdin, stdout, stderr, wait, signal } = terminal;
  const isTerminal = stdout.isTTY === true;
  const styleMessage = styleFor(stderr);
  let showsProgress = false;

  const say = (line: string) => {
    stderr.write(`${showsProgress ? clearLine : ''}${line}\n`);
  };

  /** @param terminal whether readline shows what is typed, on an output that shows nothing */
  const openInput = (terminal = false) => {
    // As a terminal, readline intercepts Ctrl-C.
    const output = new Writable({ write: (_chunk, _encoding, written) => written() });
    const reader = createInterface({ input: stdin, ...(terminal && { output }), terminal, signal });
    if (terminal) reader.on('SIGINT', () => process.kill(process.pid, 'SIGINT'));
    return { reader, lines: reader[Symbol.asyncIterator]() };
  };
  // Opened by the first question, since the input may be for another program.
  let input: ReturnType<typeof openInput> | undefined;

  const ask = async (question: string) => {
    if (stdin.isTTY) stderr.write(question);
    input ??= openInput();
    const line = await input.lines.next();
    if (!line.done) return line.value.trim();
    if (stdin.isTTY) stderr.write('\n');
    signal.throwIfAborted();
    return undefined;
  };

  const askSecret = async (question: string) => {
    input ??= openInput(stdin.isTTY);
    const typed = await ask(question);
    if (typed !== undefined && stdin.isTTY) stderr.write('\n');
    return typed;
  };

  return {
    wait,
    signal,
    isTerminal,
    columns: (isTerminal && stdout.columns) || Infinity,
    style: styleFor(stdout),
    say,
    warn: (line) => say(styleMessage('yellow', line)),
    ask,
    askSecret,
    agree: async (question, effect, amount) => {
      if (yes) return;
      if (effect !== undefined) say(effect);
      if (!stdin.isTTY) {
        throw new StaffError('Nothing was changed: no terminal to confirm at. Add --yes to skip the question.');
      }
      const answer = (await ask(`${question} ${amount === undefined ? '[y/N] ' : ''}`)) ?? '';
      const agrees = amount === undefined ? /^y(es)?$/i.test(answer) : answer.replaceAll(',', '') === String(amount);
      if (!agrees) throw new StaffError('Nothing was changed.');
    },
    progress: (noun, done) => {
      showsProgress = stderr.isTTY === true;
      return {
        report: (amount) => {
          if (showsProgress) stderr.write(`${clearLine}${count(amount, noun)} ${done}`);
        },
        [Symbol.dispose]: () => {
          if (showsProgress) stderr.write(clearLine);
          showsProgress = false;
        },
      };
    },
    [Symbol.dispose]: () => input?.reader.close(),
  };
};

/** Names an unreadable item that is left out, so that nothing is lost silently. */
export const sayUnreadable =
  ({ warn }: Pick<CommandIo, 'warn'>, what: string) =>
  (id: string): void =>
    warn(printable(`Left out the ${what} ${id}: its item is unreadable, see docs/runbook.md#unreadable-items.`));
