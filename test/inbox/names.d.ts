/** The page's module has no types of its own. */
declare module '*/inbox/names.js' {
  type Contact = import('../../functions/contacts/contact.ts').Contact;

  export const details: readonly string[];
  export const displayNameOf: (contact: Contact) => string | undefined;
  export const emailForPeople: (contact: Pick<Contact, 'email'>) => string | undefined;
  export const subjectIn: (contact: Contact) => string | undefined;
  export const excerptOf: (contact: Contact) => string | undefined;
  export const extraForPeople: (contact: Contact) => [name: string, value: string | string[]][];
  export const extraBelow: (contact: Contact) => [name: string, value: string | string[]][];
  export const telTo: (phone: string) => string;
}
