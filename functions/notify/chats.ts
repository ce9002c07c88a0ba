import * as v from 'valibot';
import type { Chat } from './chat.ts';
import { discord } from './discord.ts';
import { slack } from './slack.ts';
import type { ChatKind } from './target.ts';
import { telegram } from './telegram.ts';

/** The URL at which a chat product takes messages: what a target's secret holds. */
export const chatUrl = v.pipe(v.string(), v.url(), v.startsWith('https://'));

/** The chat products, by their kind of target. */
export const chats: Readonly<Record<ChatKind, Chat>> = { slack, discord, telegram };
