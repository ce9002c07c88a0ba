import * as v from 'valibot';
import { expect, it } from 'vitest';
import { campaignName } from '../../../functions/campaigns/campaign.ts';

it.each([
  [' Cafe\u0301 ', 'Caf\u00e9'],
  ['😀'.repeat(200), '😀'.repeat(200)],
  [`${'e\u0301'.repeat(200)} `, '\u00e9'.repeat(200)],
])('stores the name %j as %j', (sent, stored) => {
  expect(v.parse(campaignName, sent)).toBe(stored);
});

it.each([
  ['', /needs a name/],
  [' \n', /needs a name/],
  ['😀'.repeat(201), /200 characters/],
  ['one\ntwo', /one line/],
  ['bell \u0007', /one line/],
  ['\ud800', /one line/],
])('refuses the name %j', (sent, message) => {
  expect(() => v.parse(campaignName, sent)).toThrow(message);
});
