// Moves the clock of a function as emulator.py moves the emulator's.
const { readFileSync } = require('node:fs');

const RealDate = Date;

globalThis.Date = class extends RealDate {
  constructor(...parts) {
    if (parts.length === 0) super(globalThis.Date.now());
    else super(...parts);
  }

  static now() {
    return RealDate.now() + 1000 * Number(readFileSync(process.env.CLOCK, 'utf8'));
  }
};
