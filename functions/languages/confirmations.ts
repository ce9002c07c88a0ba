import * as ar from './ar.ts';
import * as bg from './bg.ts';
import * as cs from './cs.ts';
import * as da from './da.ts';
import * as de from './de.ts';
import * as el from './el.ts';
import * as en from './en.ts';
import * as es from './es.ts';
import * as et from './et.ts';
import * as fa from './fa.ts';
import * as fi from './fi.ts';
import * as fr from './fr.ts';
import * as he from './he.ts';
import * as hi from './hi.ts';
import * as hr from './hr.ts';
import * as hu from './hu.ts';
import * as id from './id.ts';
import * as it from './it.ts';
import * as ja from './ja.ts';
import * as ko from './ko.ts';
import type { ConfirmationTexts, Language } from './language.ts';
import type { LanguageTag } from './languages.ts';
import * as lt from './lt.ts';
import * as lv from './lv.ts';
import * as nb from './nb.ts';
import * as nl from './nl.ts';
import * as pl from './pl.ts';
import * as pt from './pt.ts';
import * as ro from './ro.ts';
import * as ru from './ru.ts';
import * as sk from './sk.ts';
import * as sl from './sl.ts';
import * as sv from './sv.ts';
import * as th from './th.ts';
import * as tr from './tr.ts';
import * as uk from './uk.ts';
import * as vi from './vi.ts';
import * as zh from './zh.ts';

type Row = Pick<Language, 'tag' | 'dir'> & { readonly confirmation: ConfirmationTexts };

/**
 * The confirmations of all languages, for the CDK app alone: it writes each into a template of SES, so no function loads any.
 */
export const confirmations: Readonly<Record<LanguageTag, Row>> = {
  en,
  ar,
  bg,
  cs,
  da,
  de,
  el,
  es,
  et,
  fa,
  fi,
  fr,
  he,
  hi,
  hr,
  hu,
  id,
  it,
  ja,
  ko,
  lt,
  lv,
  nb,
  nl,
  pl,
  pt,
  ro,
  ru,
  sk,
  sl,
  sv,
  th,
  tr,
  uk,
  vi,
  zh,
};
