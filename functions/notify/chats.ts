import type { Chat } from './chat.ts';
import { discord } from './discord.ts';
import { slack } from './slack.ts';
import type { ChatKind } from './target.ts';
import { telegram } from './telegram.ts';

/** The chat products, by their kind of target. */
export const chats: Readonly<Record<ChatKind, Chat>> = { slack, discord, telegram };
