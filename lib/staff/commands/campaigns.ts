import { type Command, Option } from 'commander';
import * as v from 'valibot';
import { comparable } from '../../../functions/campaigns/campaign.ts';
import { StaffError } from '../../shared/staff-error.ts';
import { printable } from '../../shared/terminal-text.ts';
import type { Definers } from '../tool/command.ts';
import { sayUnreadable } from '../tool/command-io.ts';
import { range, rangeOf, sinceOption, untilOption } from '../tool/contact-filters.ts';
import { campaignName, flag, idIn } from '../tool/options.ts';

// This module loads the SDK, which --help does not need.
const loadCampaigns = () => import('../../../functions/campaigns/manage-campaigns.ts');

const campaignId = idIn('campaigns list');

const noCampaign = (id: string): StaffError =>
  new StaffError(`There is no campaign ${id}. Run "npx --no-install crcs campaigns list" to see all.`);

const nameTaken = (by: string): StaffError => new StaffError(`A campaign with that name already exists: ${by}.`);

export const addCampaignCommands = (program: Command, { reads, writes }: Definers): void => {
  const campaigns = program.command('campaigns').description('Manage campaigns');

  writes(campaigns, 'add <name>', {
    description:
      'Adds a campaign and prints its id. The name has 1 to 200 characters, and no other campaign can have it.',
    examples: ['campaigns add spring-sale --env prod'],
    values: v.object({ name: campaignName }),
    run: async ({ tables }, { name }) => {
      const { addCampaign } = await loadCampaigns();
      const added = await addCampaign(tables.campaigns, name);
      if (added.outcome === 'taken') throw nameTaken(added.by);
      const { campaign } = added;
      return { json: { ...campaign }, text: `${campaign.id}\n` };
    },
  });

  writes(campaigns, 'rename <id> <name>', {
    description:
      'Renames a campaign, whose id stays the same. Contact requests that came with the former name keep it and are counted under it. So change the name in your links and forms, too. To see the ids, run "campaigns list".',
    examples: ['campaigns rename 8f14e45f-ceea-467f-a0f1-6d6b3f1c2a10 summer-sale'],
    values: v.object({ id: campaignId, name: campaignName }),
    run: async ({ tables }, { id, name }) => {
      const { renameCampaign } = await loadCampaigns();
      const renamed = await renameCampaign(tables.campaigns, { id, name });
      if (renamed.outcome === 'taken') throw nameTaken(renamed.by);
      if (renamed.outcome === 'missing') throw noCampaign(id);
      const former = renamed.formerName;
      const kept = `Contact requests that came as "${printable(former)}" keep that name. Change it in your links and forms, too.`;
      return {
        json: { id, name },
        text: `Renamed the campaign ${id} to "${printable(name)}".\n`,
        status: () => (comparable(former) === comparable(name) ? undefined : kept),
      };
    },
  });

  writes(campaigns, 'remove <id>', {
    description:
      'Removes a campaign from the list. Contact requests that came from it stay, and keep its name or id. To see the ids, run "campaigns list".',
    examples: ['campaigns remove 8f14e45f-ceea-467f-a0f1-6d6b3f1c2a10'],
    values: v.object({ id: campaignId }),
    run: async ({ tables }, { id }) => {
      const { removeCampaign } = await loadCampaigns();
      if (!(await removeCampaign(tables.campaigns, id))) throw noCampaign(id);
      return { json: { id }, text: `Removed the campaign ${id}.\n` };
    },
  });

  reads(campaigns, 'list', {
    description:
      'Lists all campaigns by name. With --count, shows how many contact requests each campaign brought, the most first. A campaign that forms send but that is not in your list has a line without an id.',
    examples: ['campaigns list --count --since 30d --env prod'],
    options: [new Option('--count', 'count contact requests by campaign, without spam'), sinceOption, untilOption],
    values: v.pipe(
      v.object({ count: flag, ...range }),
      v.check(({ count, since, until }) => count || !(since || until), 'Give --since and --until only with --count.'),
    ),
    run: async (environment, { count, ...chosen }, io) => {
      if (count) {
        const { countByCampaign } = await import('../work/campaign-counts.ts');
        return countByCampaign(environment, rangeOf(environment, chosen), io);
      }
      const { readCampaigns } = await loadCampaigns();
      const all = await readCampaigns(environment.tables.campaigns, sayUnreadable(io, 'campaign'));
      const add = `npx --no-install crcs campaigns add spring-sale ${environment.chosenBy}`;
      return {
        json: [all],
        text: { heads: ['ID', 'NAME'], rows: [all.map(({ id, name }) => [id, name])] },
        status: () => (all.length === 0 ? `No campaigns found. To add one: ${add}` : undefined),
      };
    },
  });
};
