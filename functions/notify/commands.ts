/** What to type to see a contact request, and to delete it. Nothing that a visitor sent stands in a command. */
export const commandsFor = (id: string, environment: string) => {
  const command = (name: string) => `npx crcs contacts ${name} ${id} --env ${environment}`;
  return { show: command('show'), delete: command('delete') };
};
