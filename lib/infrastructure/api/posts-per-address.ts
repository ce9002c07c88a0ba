/** How often one address may post in five minutes: far more than people do, also several behind one address. */
export const postsPerAddress = 100;
