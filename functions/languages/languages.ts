import { words as ar } from './ar.ts';
import { words as bg } from './bg.ts';
import { words as cs } from './cs.ts';
import { words as da } from './da.ts';
import { words as de } from './de.ts';
import { words as el } from './el.ts';
import { words as en } from './en.ts';
import { words as es } from './es.ts';
import { words as et } from './et.ts';
import { words as fa } from './fa.ts';
import { words as fi } from './fi.ts';
import { words as fr } from './fr.ts';
import { words as he } from './he.ts';
import { words as hi } from './hi.ts';
import { words as hr } from './hr.ts';
import { words as hu } from './hu.ts';
import { words as id } from './id.ts';
import { words as it } from './it.ts';
import { words as ja } from './ja.ts';
import { words as ko } from './ko.ts';
import type { Language, Words } from './language.ts';
import { words as lt } from './lt.ts';
import { words as lv } from './lv.ts';
import { words as nb } from './nb.ts';
import { words as nl } from './nl.ts';
import { words as pl } from './pl.ts';
import { words as pt } from './pt.ts';
import { words as ro } from './ro.ts';
import { words as ru } from './ru.ts';
import { words as sk } from './sk.ts';
import { words as sl } from './sl.ts';
import { words as sv } from './sv.ts';
import { words as th } from './th.ts';
import { words as tr } from './tr.ts';
import { words as uk } from './uk.ts';
import { words as vi } from './vi.ts';
import { words as zh } from './zh.ts';

interface Row {
  /** Read with the names of a form's fields, whatever its language. */
  readonly words: Words;
  /** Loads the texts, which only visitors and owners of this language need. */
  readonly load: () => Promise<Language>;
}

/** The languages by their tags. A test compares them with the files of this folder. */
export const languages = {
  en: { words: en, load: () => import('./en.ts') },
  ar: { words: ar, load: () => import('./ar.ts') },
  bg: { words: bg, load: () => import('./bg.ts') },
  cs: { words: cs, load: () => import('./cs.ts') },
  da: { words: da, load: () => import('./da.ts') },
  de: { words: de, load: () => import('./de.ts') },
  el: { words: el, load: () => import('./el.ts') },
  es: { words: es, load: () => import('./es.ts') },
  et: { words: et, load: () => import('./et.ts') },
  fa: { words: fa, load: () => import('./fa.ts') },
  fi: { words: fi, load: () => import('./fi.ts') },
  fr: { words: fr, load: () => import('./fr.ts') },
  he: { words: he, load: () => import('./he.ts') },
  hi: { words: hi, load: () => import('./hi.ts') },
  hr: { words: hr, load: () => import('./hr.ts') },
  hu: { words: hu, load: () => import('./hu.ts') },
  id: { words: id, load: () => import('./id.ts') },
  it: { words: it, load: () => import('./it.ts') },
  ja: { words: ja, load: () => import('./ja.ts') },
  ko: { words: ko, load: () => import('./ko.ts') },
  lt: { words: lt, load: () => import('./lt.ts') },
  lv: { words: lv, load: () => import('./lv.ts') },
  nb: { words: nb, load: () => import('./nb.ts') },
  nl: { words: nl, load: () => import('./nl.ts') },
  pl: { words: pl, load: () => import('./pl.ts') },
  pt: { words: pt, load: () => import('./pt.ts') },
  ro: { words: ro, load: () => import('./ro.ts') },
  ru: { words: ru, load: () => import('./ru.ts') },
  sk: { words: sk, load: () => import('./sk.ts') },
  sl: { words: sl, load: () => import('./sl.ts') },
  sv: { words: sv, load: () => import('./sv.ts') },
  th: { words: th, load: () => import('./th.ts') },
  tr: { words: tr, load: () => import('./tr.ts') },
  uk: { words: uk, load: () => import('./uk.ts') },
  vi: { words: vi, load: () => import('./vi.ts') },
  zh: { words: zh, load: () => import('./zh.ts') },
} as const satisfies Readonly<Record<string, Row>>;

export type LanguageTag = keyof typeof languages;

/** The words of every language. */
export const allWords: readonly Words[] = Object.values(languages).map(({ words }) => words);
