import { bodies } from './bodies.ts';
import { cold } from './cold/cold.ts';
import { shares } from './cold/shares.ts';
import { size } from './cold/size.ts';
import { exportPart } from './export.ts';
import { hostileBodies } from './hostile-bodies.ts';
import { memory } from './memory/memory.ts';
import { notifications } from './notifications.ts';
import { pageReads } from './page-reads.ts';
import type { Part } from './part.ts';
import { staffCommand } from './staff-command.ts';
import { start } from './start.ts';
import { synthesis } from './synthesis.ts';
import { throughput } from './throughput.ts';
import { warm } from './warm/warm.ts';

/** What the benchmarks measure, by name, in the order of the page. */
export const parts: Readonly<Record<string, Part>> = {
  cold,
  shares,
  size,
  warm,
  start,
  staff: staffCommand,
  throughput,
  notifications,
  bodies,
  hostile: hostileBodies,
  pages: pageReads,
  export: exportPart,
  synthesis,
  memory,
};
