import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import * as v from 'valibot';
import { median } from '../../bench/median.ts';
import { type RehearsedPart, rehearsedFile, rehearsedTitle } from '../../bench/rehearsed.ts';
import { contactSchema } from '../acceptance/contact.ts';
import { sendOnce } from '../acceptance/http.ts';
import type { Scene } from './scene.ts';
import { until } from './until.ts';

const rounds = 30;

/** How much longer a create may take, of which somebody is told: the machine does the telling meanwhile, and others' work. */
const mostRatio = 2;

/** Posts a contact request, once. @returns its id, how long that took, and when the answer was there */
const create = async (baseUrl: string) => {
  const began = performance.now();
  const { status, body } = await sendOnce(`${baseUrl}/api/v1/contact`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ email: 'visitor@example.net', message: 'How soon is this told?' }),
  });
  const answered = performance.now();
  assert.equal(status, 201);
  return { id: v.parse(contactSchema, body).id, took: answered - began, answered };
};

type Created = Awaited<ReturnType<typeof create>>;

/**
 * Measures from the 201 to the webhook, and what creating takes beside an environment that tells nobody: in turns, so
 * that what the machine does meanwhile meets both.
 */
export const measureTelling = async (scene: Scene, silentUrl: string): Promise<void> => {
  const { cast, baseUrl, arrivals } = scene;
  const told: Created[] = [];
  const silent: Created[] = [];
  const turns = [
    { url: baseUrl, created: told },
    { url: silentUrl, created: silent },
  ];
  // The first of each is for warming up.
  for (let round = 0; round <= rounds; round += 1) {
    for (const { url, created } of round % 2 === 0 ? turns : turns.toReversed()) created.push(await create(url));
    // So that they come at every moment of the second in which the emulator's pipe looks for records once.
    await setTimeout(100 + 200 * Math.random(), undefined, { signal: cast.signal });
  }
  const delays: number[] = [];
  for (const { id, answered } of told.slice(1)) {
    const webhook = await until(`${id} at the receiver`, () => arrivals.webhooks(id)[0], cast.signal);
    delays.push(webhook.at - answered);
  }
  await arrivals.rest();

  const delay = median(delays);
  const time = median(told.slice(1).map(({ took }) => took));
  const ratio = median(told.map(({ took }, round) => took / (silent[round]?.took ?? 0)).slice(1));
  const part: RehearsedPart = {
    title: rehearsedTitle,
    tells: `The same in the AWS emulator, by the functions as they are deployed: stream, pipe, topic, queue. Its pipe looks for records once a second. The medians of ${rounds}. No part of the run above: \`npm run rehearse\` measured this on ${new Date().toISOString().slice(0, 10)} (UTC).`,
    measurements: [
      { name: 'From the 201 to the webhook', value: delay, unit: 'ms' },
      {
        name: 'A create that is told',
        value: time,
        unit: 'ms',
        beside: { what: 'one of an environment that tells nobody', ratio },
      },
    ],
  };
  await writeFile(rehearsedFile, JSON.stringify(part));
  cast.steps.say(`The webhook is there ${Math.round(delay)} ms after the 201 (the median of ${rounds})`);
  cast.steps.say(`A create takes ${Math.round(time)} ms, × ${ratio.toFixed(2)} of one where nobody is told`);
  assert.ok(ratio < mostRatio, 'Creating is slower where somebody is told');
};
