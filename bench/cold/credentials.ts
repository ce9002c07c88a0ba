/** With what the functions sign here; the store knows no others. A session token is about as long on Lambda. */
export const credentials = {
  region: 'eu-central-1',
  accessKey: 'AKIAIOSFODNN7EXAMPLE',
  secret: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
  sessionToken: 'IQoJb3JpZ2luX2VjEXAMPLE='.repeat(40),
};
