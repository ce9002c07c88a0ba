import { type Chat, type Part, partsOf } from './chat.ts';

/** Code points, says the server's source: https://core.telegram.org/bots/api#sendmessage */
const max = 4_096;

/** The parameters that say where a message goes: a chat, and in a group with topics one of these. */
const placeParameters: readonly string[] = ['chat_id', 'message_thread_id'];

/** Shows a part as it is: `pre` can contain no other entity. Offsets count UTF-16 code units, as lengths of strings do. */
const entitiesOf = (parts: readonly Part[]) => {
  let offset = 0;
  return parts.flatMap(({ text, isQuoted }) => {
    const { length } = text;
    const entity = { type: 'pre', offset, length };
    offset += length + '\n'.length;
    return isQuoted ? [entity] : [];
  });
};

/** The method sendMessage of a bot. It responds with an error's status unless it has sent the message. */
export const telegram: Chat = {
  product: 'Telegram',
  hosts: ['api.telegram.org'],
  toPost: (contact, given, wording) => {
    const { origin, pathname, searchParams } = new URL(given);
    const parts = partsOf(contact, wording, { max, quotation: 0 });
    const message = {
      ...Object.fromEntries([...searchParams].filter(([name]) => placeParameters.includes(name))),
      text: parts.map(({ text }) => text).join('\n'),
      entities: entitiesOf(parts),
      link_preview_options: { is_disabled: true },
    };
    return { url: `${origin}${pathname}`, body: JSON.stringify(message) };
  },
};
