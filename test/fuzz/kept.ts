import type { Create, List, QueryValue, Step } from './steps.ts';
import { marker } from './texts.ts';

/** A contact request that is stored, as a scenario begins it. */
const create: Create = {
  kind: 'create',
  type: 'json',
  typeDetail: '',
  fields: [
    ['email', '"ada@example.com"'],
    ['message', '"Hi"'],
  ],
  flaw: 'none',
  size: 0,
  origin: 'none',
  accept: '',
  key: '',
  keyIn: 'header',
  twice: false,
};

const honeypot = (json: string): Create => ({ ...create, fields: [...create.fields, ['_gotcha', json]] });

const list = (cursor: QueryValue, of: List['of'] = 'contacts'): List => ({
  ...{ kind: 'list', of, caller: 'staff', origin: 'none', csv: false, known: 'nothing', further: 0 },
  query: [['cursor', cursor]],
});

/** What a run has found once, cut down: each is sent before anything new is. */
export const kept: readonly { readonly found: string; readonly steps: readonly Step[] }[] = [
  {
    found: 'a cursor that no list gave, with a right checksum, was a 500',
    steps: [list({ text: 'rM5d6KNG' }), list({ text: 'rM5d6KNG' }, 'campaigns')],
  },
  {
    found: 'a cursor of the list of spam was taken for one of the default list',
    steps: [honeypot('"x"'), honeypot('"x"'), list({ cursorOf: 'spam', spoil: '' })],
  },
  {
    found: 'a honeypot field of nested lists was a 500',
    steps: [honeypot('['.repeat(4_900) + ']'.repeat(4_900))],
  },
  {
    found: 'the name of a field that a contact request does not have was logged',
    steps: [{ ...create, fields: [...create.fields, [marker, '""']] }],
  },
  {
    found: 'a type that only begins like JSON was taken for JSON, and its refusal was no page',
    steps: [{ ...create, type: 'other', typeDetail: 'application/jsonx', accept: 'text/html' }],
  },
  {
    found: 'a request without a host whose body never came got two answers from the local gateway',
    steps: [{ kind: 'raw', bytes: 'GET /v1/campaigns HTTP/1.1\r\nContent-Length: 1\r\n\r\n' }],
  },
  {
    found: 'blanks around a text counted towards its length',
    steps: [{ ...create, fields: [...create.fields, ['lastName', JSON.stringify(`${' '.repeat(1_000)}a`)]] }],
  },
];
