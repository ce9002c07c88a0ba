import { expect, test } from 'vitest';
import { confirmations } from '../../../functions/languages/confirmations.ts';
import { confirmationEmail, placeholderErrors } from '../../../functions/notify/confirmation-text.ts';
import { formatTime } from '../../../functions/notify/format-time.ts';

const values = { site: 'www.example.com', time: '1 March 2026 at 12:00:00 UTC', reference: '5f0c9a52' } as const;

/** What SES does with a part of a template, as far as ours goes. */
const render = (part: string) =>
  Object.entries(values).reduce((text, [name, value]) => text.replaceAll(`{{${name}}}`, () => value), part);

test('SES, which escapes nothing, can fill times in, whatever the language', () => {
  const times = Object.keys(confirmations).map((tag) => formatTime('2026-12-31T23:59:59.999Z', { tag }));
  expect(times.filter((time) => /[&<>"'`={}]/.test(time))).toEqual([]);
});

const rendered = (subject: string, text: string, { tag, dir } = confirmations.en) => {
  const email = confirmationEmail({ subject, text }, { tag, dir });
  return { subject: render(email.subject), text: render(email.text), html: render(email.html) };
};

test.each(Object.values(confirmations))('fills in the email of $tag', (row) => {
  const { confirmation, tag, dir } = row;
  const { subject, text, html } = rendered(confirmation.subject, confirmation.text, row);
  expect([subject, text, html].filter((part) => /[{}]/.test(part))).toEqual([]);
  for (const value of Object.values(values))
    expect([text, html]).toEqual(Array(2).fill(expect.stringContaining(value)));
  expect(html).toContain(`<html lang="${tag}" dir="${dir}">`);
  expect(html.split('<p ')).toHaveLength(5);
});

test('an email is as its owner wrote it, in text and in HTML', () => {
  const { subject, text, html } = rendered(
    `O'Neill & Sons: "{reference}"`,
    `
      Thank you & "goodbye" <b>, C:\\temp, $& $1.
      It's {site}.

      {time}\r
      \r
      {reference}, {reference}
    `,
  );
  expect(subject).toBe(`O'Neill & Sons: "5f0c9a52"`);
  expect(text).toBe(
    [
      `Thank you & "goodbye" <b>, C:\\temp, $& $1.`,
      `It's www.example.com.`,
      '',
      '1 March 2026 at 12:00:00 UTC',
      '',
      '5f0c9a52, 5f0c9a52',
    ].join('\n'),
  );
  expect(html).toContain('<title>O&#39;Neill &#38; Sons: &#34;5f0c9a52&#34;</title>');
  const paragraphs = [...html.matchAll(/<p style="[\w: ]+">(.*?)<\/p>/g)].map(([, content]) => content);
  expect(paragraphs).toEqual([
    'Thank you &#38; &#34;goodbye&#34; &#60;b&#62;, C:\\temp, $&#38; $1.<br>It&#39;s www.example.com.',
    '1 March 2026 at 12:00:00 UTC',
    '5f0c9a52, 5f0c9a52',
  ]);
});

test('an email of an owner loads nothing, and has no links but those that mail clients make', () => {
  const { html } = rendered('Hello', 'https://www.example.com/faq <img src="https://tracker.example"> <a href="x">');
  expect(html).not.toMatch(/<(?:img|a|link|style|script)\b|url\(/);
});

test.each([
  ['Hello', undefined],
  ['Backslash \\ and {site}, {time}, {reference}{reference}', undefined],
  ['{refrence}', '{refrence}'],
  ['{name}', '{name}'],
  ['{ site }', '{ site }'],
  ['{Site}', '{Site}'],
  ['{{site}}', '{{site}}'],
  ['{{{site}}}', '{{{site}}}'],
  ['{{#if site}}', '{{#if site}}'],
  ['{site', '{site'],
  ['site}', '}'],
  ['{site}}', '{site}}'],
  ['{a line\nand more', '{a line'],
  ['{si{site}te}', '{si'],
  ['\\{site}', '\\{site}'],
  ['\\\\{site}', '\\{site}'],
])('in an owner’s words, %j has %j as a mistake', (text, mistake) => {
  expect(placeholderErrors(text)).toEqual(mistake === undefined ? undefined : expect.stringContaining(`"${mistake}"`));
});
