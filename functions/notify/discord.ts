import { type Chat, type Part, partsOf } from './chat.ts';

/** https://docs.discord.com/developers/resources/webhook#execute-webhook */
const max = 2_000;

const fence = '```';

/**
 * Shows a text as it is: in a code block, Discord shows no mentions, links, markdown or emoji. Discord may strip characters from
 * a message, which could make a fence of parted backticks; so there is no backtick, but an accent that looks like it.
 */
const codeBlock = (text: string) => `${fence}\n${text.replaceAll('`', '\u02cb')}\n${fence}`;

const render = ({ text, isQuoted }: Part) => (isQuoted ? codeBlock(text) : text);

/** https://docs.discord.com/developers/resources/message#message-object-message-flags */
const suppressEmbeds = 1 << 2;

/**
 * Discord may block others: https://docs.discord.com/developers/reference#user-agent
 * The number is none of the service's versions, since it would drift.
 */
const userAgent = 'DiscordBot (contact-request-and-campaign-service, 1)';

export const discord: Chat = {
  product: 'Discord',
  // Earlier URLs have the second one; those of test versions have a subdomain.
  hosts: ['discord.com', 'discordapp.com'],
  toPost: (contact, given, wording) => {
    const url = new URL(given);
    // Otherwise Discord responds before it stores the message, and reports no failure.
    url.searchParams.set('wait', 'true');
    const parts = partsOf(contact, wording, { max, quotation: codeBlock('').length });
    const message = {
      content: parts.map(render).join('\n'),
      allowed_mentions: { parse: [] },
      flags: suppressEmbeds,
    };
    return { url: url.href, headers: { 'User-Agent': userAgent }, body: JSON.stringify(message) };
  },
};
