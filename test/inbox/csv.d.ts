/** The page's module has no types of its own. */
declare module '*/inbox/csv.js' {
  type Contact = import('../../functions/contacts/contact.ts').Contact;

  export const csvOf: (contacts: readonly Contact[], separator: string) => string[];
  export const separatorIn: (locale?: string) => string;
}
