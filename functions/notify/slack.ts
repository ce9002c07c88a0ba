import type { Tell } from './notification.ts';
import type { Post } from './post.ts';
import { slackMessage } from './slack-message.ts';

/** Tells people in Slack, by an incoming webhook: https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks */
export const tellSlack =
  (url: string, environment: string, post: Post): Tell =>
  ({ contact }) =>
    post({ url, body: JSON.stringify(slackMessage(contact, environment)) });
