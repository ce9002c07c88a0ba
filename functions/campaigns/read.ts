import * as v from 'valibot';
import { inboxCors } from '../http/cors.ts';
import { HttpError } from '../http/errors.ts';
import { httpHandler } from '../http/handler.ts';
import { cursorOf, linkHeader, reportUnreadable } from '../http/paging.ts';
import { parseQuery, wholeNumber } from '../http/query.ts';
import { idOf } from '../http/request.ts';
import { json } from '../http/response.ts';
import type { CountMetric } from '../shared/metrics.ts';
import { campaignsTable } from './campaign.ts';
import type { CampaignListStore, CampaignStore } from './campaign-store.ts';

/** As cursors and logs name the list. */
const listName = 'campaigns';

/** The query parameters of the list. */
export const listParameters = {
  limit: v.optional(wholeNumber(1, 1000), '1000'),
  cursor: v.optional(cursorOf(listName, campaignsTable.listIndex.sortKeyPattern)),
};

/** GET /v1/campaigns: interface.md, section 4.5. */
export const listCampaigns = (store: CampaignListStore, count: CountMetric, inboxOrigins?: readonly string[]) =>
  httpHandler(async (request, signal) => {
    const { limit, cursor } = parseQuery(request.query, listParameters);
    const page = await store.list({ limit, after: cursor, signal });
    reportUnreadable(listName, page.unreadable, count);
    return json(200, page.items, linkHeader(request, listName, page.next));
  }, inboxCors(inboxOrigins));

/** GET /v1/campaigns/:id: interface.md, section 4.6. */
export const getCampaign = (store: CampaignStore, inboxOrigins?: readonly string[]) =>
  httpHandler(async (request) => {
    const campaign = await store.get(idOf(request));
    if (!campaign) throw new HttpError(404);
    return json(200, campaign);
  }, inboxCors(inboxOrigins));
