/** The page's module has no types of its own. */
declare module '*/inbox/reply.js' {
  type Contact = import('../../functions/contacts/contact.ts').Contact;

  export const mailTo: (address: string) => string;
  export const replyTo: (contact: Contact, locale: string) => string;
}
