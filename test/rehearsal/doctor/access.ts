import { credentials, region } from '../emulator.ts';
import type { Cast } from '../steps.ts';

/** What a client of AWS is made with here. */
export const accessOf = ({ emulator: { endpoint } }: Cast) => ({ endpoint, region, credentials });

export type Access = ReturnType<typeof accessOf>;
