import { expect } from 'vitest';
import type { ApiResponse } from './http.ts';

/**
 * Expects an accessible page without scripts and without other files.
 * @returns its HTML
 */
export const expectPage = ({ status, headers, text }: ApiResponse, expectedStatus: number): string => {
  expect(status, text).toBe(expectedStatus);
  expect(headers.get('content-type')).toMatch(/^text\/html; *charset=utf-8$/i);
  expect(headers.get('content-security-policy')).toContain("default-src 'none'");
  expect(headers.get('content-security-policy')).not.toContain('unsafe');
  // The form can stand in a frame.
  expect(headers.get('content-security-policy')).not.toContain('frame-ancestors');
  expect(headers.get('x-frame-options')).toBeNull();
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect(headers.get('referrer-policy')).toBe('no-referrer');
  expect(text).toMatch(/^<!doctype html>/i);
  expect(text).toMatch(/<html lang="[a-z-]+" dir="(ltr|rtl)">/);
  expect(text).toMatch(/<title>[^<]+<\/title>/);
  expect(text).toMatch(/<meta name="viewport"/);
  expect(text.match(/<main>/g)).toHaveLength(1);
  expect(text.match(/<h1>[^<]+<\/h1>/g)).toHaveLength(1);
  const tags = text.replaceAll(/="[^"]*"/g, '=""').match(/<[a-z][^>]*>/gi) ?? [];
  expect(tags.filter((tag) => /^<(script|link|img|iframe|object)\b|\son\w+=/i.test(tag))).toEqual([]);
  expect(text).not.toMatch(/(href|src|action)="(?!https?:)/i);
  return text;
};

/** The text of a page, without markup and style. */
export const pageText = (html: string): string =>
  html.replace(/<style>[\s\S]*?<\/style>/, '').replaceAll(/<[^>]*>/g, ' ');
