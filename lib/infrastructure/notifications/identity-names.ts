/** What SES may have confirmed so that an address is: itself, its domain, or a domain above. */
export const identitiesOf = (address: string): string[] => {
  const labels = address.slice(address.lastIndexOf('@') + 1).split('.');
  return [address, ...labels.slice(0, -1).map((_, at) => labels.slice(at).join('.'))];
};
