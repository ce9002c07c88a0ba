/**
 * The mailbox that an address most likely leads to: without regard to case, and without the tag behind a `+`.
 * https://www.rfc-editor.org/rfc/rfc5233
 */
export const mailboxOf = (address: string): string => {
  const at = address.lastIndexOf('@');
  return `${address.slice(0, at).replace(/\+.*/, '')}${address.slice(at)}`.toLowerCase();
};

/**
 * Names behind which no visitor reads: of roles, of lists and their owners, and of programs. A reply to one can go to many, or
 * round in circles.
 * https://www.rfc-editor.org/rfc/rfc2142, https://www.rfc-editor.org/rfc/rfc3834#section-2
 */
const roles =
  /^(?:abuse|daemon|devnull|hostmaster|listserv|majordomo|nobody|noc|null|postmaster|root|security|spam|(?:un)?subscribe|usenet|uucp|webmaster)$/;

const programs = /(?:^|[._-])(?:bounces?|(?:do[._-]?not|no)[._-]?repl(?:y|ies)|mailer[._-]?daemon)(?:[._\d-]|$)/;

const lists = /^owner-|-(?:confirm|join|leave|owner|request|(?:un)?subscribe)$/;

/** Whether a mailbox is a role's, a list's or a program's. */
export const isRole = (mailbox: string): boolean => {
  const name = mailbox.slice(0, mailbox.lastIndexOf('@'));
  return [roles, programs, lists].some((pattern) => pattern.test(name));
};
