import type { Contact } from '../contacts/contact.ts';

/** A contact request that nobody made, to see whether a target can be told. */
export const sampleContact = (now: Date): Contact => ({
  id: '00000000-0000-4000-8000-000000000000',
  createdAt: now.toISOString(),
  email: 'visitor@example.com',
  phone: '+1 202 555 0142',
  company: 'Example Company',
  message: 'This is a test. Nobody wrote this, and it is stored nowhere:\nit shows that contact requests arrive here.',
  firstName: 'Sample',
  lastName: 'Visitor',
  extra: { 'a further field': 'what a form sends besides is told, too' },
  site: 'https://www.example.com',
});
