import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import * as v from 'valibot';
import { contactsTable, listKeys } from '../functions/contacts/table.ts';
import { uuidFromText } from '../functions/shared/uuid.ts';
import { inBatches } from './batches.ts';
import type { Measurement } from './measurement.ts';
import { median } from './median.ts';
import type { Part } from './part.ts';
import { withDynalite } from './store.ts';

const rounds = 3;
const amounts = [1_000, 100_000] as const;
const beginning = Date.UTC(2026, 0, 1);

/** What an export took: the items that were read, and the most memory that its process held, in KiB. */
const taken = v.object({ read: v.number(), peak: v.number() });

const exportOf = async (table: string): Promise<v.InferOutput<typeof taken>> => {
  const child = fork(join(import.meta.dirname, 'export-process.ts'), [table], {
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  const [[message]] = await Promise.all([once(child, 'message'), once(child, 'exit')]);
  return v.parse(taken, message);
};

const fill = async (table: string, amount: number): Promise<void> => {
  const { putAll } = await import('../test/support/tables.ts');
  const batch = 5;
  await inBatches(amount / batch, (index) =>
    putAll(
      table,
      Array.from({ length: batch }, (_, at) => {
        const [id, place] = [uuidFromText(`${index} ${at}`), beginning + (index * batch + at) * 1000];
        const contact = { id, createdAt: new Date(place).toISOString(), message: 'Hello '.repeat(40) };
        return { ...contact, email: 'ada@example.com', ...listKeys(contact, false) };
      }),
    ),
  );
};

const measureExport = (): Promise<Measurement[]> =>
  withDynalite(async () => {
    // It makes its client as it is loaded, and the client knows then where its store is.
    const { createTable } = await import('../test/support/tables.ts');
    const [few, many] = [await createTable(contactsTable), await createTable(contactsTable)];
    await fill(few, amounts[0]);
    await fill(many, amounts[1]);
    const peaks: { few: number; many: number }[] = [];
    let read = 0;
    for (let round = 0; round < rounds; round += 1) {
      const [ofFew, ofMany] = [await exportOf(few), await exportOf(many)];
      peaks.push({ few: ofFew.peak, many: ofMany.peak });
      read = ofMany.read;
    }
    return [
      {
        name: `Peak memory of an export of ${amounts[1].toLocaleString('en')}`,
        value: median(peaks.map((peak) => peak.many)) / 1024,
        unit: 'MiB',
        beside: {
          what: `an export of ${amounts[0].toLocaleString('en')}`,
          ratio: median(peaks.map((peak) => peak.many / peak.few)),
        },
        target: { bound: '≤', value: 1.2 },
      },
      {
        name: 'Items read for each that is exported',
        value: read / amounts[1],
        unit: 'items',
        target: { bound: '≤', value: 1.1 },
      },
    ];
  });

export const exportPart: Part = {
  title: 'Export',
  tells:
    'The process of `contacts export`, and what the store reads for it. Memory must not grow with what is stored, and hardly more be read than is exported.',
  measure: measureExport,
};
