import type { Language } from '../languages/language.ts';
import { localeOf } from './format-time.ts';

/** A readable size, such as `48 kB`: as everywhere in the service, a kilobyte has 1,000 bytes. @param size in bytes */
export const formatSize = (size: number, language: Pick<Language, 'tag'>): string => {
  const [unit, bytes] = size < 1e3 ? ['byte', 1] : size < 1e6 ? ['kilobyte', 1e3] : ['megabyte', 1e6];
  const options = { style: 'unit', unit, unitDisplay: bytes === 1 ? 'long' : 'short' } as const;
  return new Intl.NumberFormat(localeOf(language), { ...options, maximumFractionDigits: 1 }).format(size / bytes);
};
