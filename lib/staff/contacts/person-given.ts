import * as v from 'valibot';
import { explained, shownAs } from '../command-line/arguments.ts';

export const isAddress = (text: string): boolean => /^\s*[^\s@]+@[^\s@]+\s*$/.test(text);

/** As many digits as the service asks of a phone number. */
export const isNumber = (text: string): boolean => text.replaceAll(/\D/g, '').length >= 3;

const orInput = (isSound: (text: string) => boolean, message: string) =>
  v.optional(
    v.pipe(
      v.string(),
      v.check((text) => text === '-' || isSound(text), message),
    ),
  );

/** The options that name a person; `-` stands for a line of the standard input. */
export const person = {
  email: explained(
    'Those of an email address, in any case; - reads it from the standard input.',
    shownAs('<address|->', orInput(isAddress, 'Give an email address, or - to give it on the standard input.')),
  ),
  phone: explained(
    'Those of a phone number, by its digits; - reads it from the standard input.',
    shownAs('<number|->', orInput(isNumber, 'Give a phone number, or - to give it on the standard input.')),
  ),
};

export type PersonGiven = v.InferOutput<v.ObjectSchema<typeof person, undefined>>;
