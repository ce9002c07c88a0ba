/** An ordinary contact request. */
export const contact = {
  email: 'ada@example.com',
  phone: '+44 20 7946 0000',
  company: 'Analytical Engines Ltd',
  firstName: 'Ada',
  lastName: 'Lovelace',
  message: 'I would like to know more about your engines. '.repeat(10).trim(),
};
