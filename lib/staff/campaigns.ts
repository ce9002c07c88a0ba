import { type Command, Option } from 'commander';
import * as v from 'valibot';
import { formatNumber, printable } from '../terminal-text.ts';
import type { Definers } from './command.ts';
import { sayUnreadable } from './command-io.ts';
import { campaignName, flag, uuid } from './options.ts';
import { range, rangeOf, sinceOption, untilOption } from './range.ts';

// It loads the SDK, which --help does not need.
const loadCampaignTable = () => import('../tables/campaign-table.ts');

export const addCampaignCommands = (program: Command, { reads, writes }: Definers): void => {
  const campaigns = program.command('campaigns').description('Manage campaigns');

  writes(campaigns, 'add <name>', {
    description: 'Adds a campaign and prints its id. The name must have 1 to 200 characters.',
    example: 'campaigns add spring-sale --env prod',
    values: v.object({ name: campaignName }),
    run: async ({ tables }, { name }) => {
      const { addCampaign } = await loadCampaignTable();
      const campaign = await addCampaign(tables.campaigns, name);
      return { json: { ...campaign }, text: `${campaign.id}\n` };
    },
  });

  writes(campaigns, 'rename <id> <name>', {
    description: 'Renames a campaign.',
    example: 'campaigns rename 8f14e45f-ceea-467f-a0f1-6d6b3f1c2a10 "Summer sale"',
    values: v.object({ id: uuid, name: campaignName }),
    run: async ({ tables }, { id, name }) => {
      const { renameCampaign } = await loadCampaignTable();
      await renameCampaign(tables.campaigns, { id, name });
      return { json: { id, name }, text: `Renamed the campaign ${id} to "${printable(name)}".\n` };
    },
  });

  writes(campaigns, 'remove <id>', {
    description: 'Removes a campaign.',
    example: 'campaigns remove 8f14e45f-ceea-467f-a0f1-6d6b3f1c2a10',
    values: v.object({ id: uuid }),
    run: async ({ tables }, { id }) => {
      const { removeCampaign } = await loadCampaignTable();
      await removeCampaign(tables.campaigns, id);
      return { json: { id }, text: `Removed the campaign ${id}.\n` };
    },
  });

  reads(campaigns, 'list', {
    description:
      'Lists all campaigns by name. With --count, shows how many contact requests each one brought, most first, also under texts that are no campaign of yours.',
    example: 'campaigns list --count --since 30d --env prod',
    options: [new Option('--count', 'count contact requests by campaign, without spam'), sinceOption, untilOption],
    values: v.pipe(
      v.object({ count: flag, ...range }),
      v.check(({ count, since, until }) => count || !(since || until), 'Give --since and --until only with --count.'),
    ),
    run: async (environment, { count, ...chosen }, io) => {
      if (count) {
        const { countByCampaign } = await import('./campaign-counts.ts');
        return countByCampaign(environment, rangeOf(environment, chosen), io);
      }
      const { listCampaigns } = await loadCampaignTable();
      const all = await listCampaigns(environment.tables.campaigns, sayUnreadable(io, 'campaign'));
      const add = `npx --no-install crcs campaigns add "Spring sale" ${environment.chosenBy}`;
      return {
        json: [all],
        text: { heads: ['ID', 'NAME'], rows: [all.map(({ id, name }) => [id, name])] },
        status: () => (all.length === 0 ? `No campaigns found. To add one: ${add}` : undefined),
      };
    },
  });

  writes(campaigns, 'import <file>', {
    description:
      'Adds or renames campaigns from a UTF-8 CSV file. The file needs a column "name"; "id" is optional. Repeating an import changes nothing.',
    example: 'campaigns import campaigns.csv --env prod',
    values: v.object({ file: v.string() }),
    run: async ({ tables }, { file }, io) => {
      const { readCampaignFile } = await import('./campaign-file.ts');
      const { importCampaigns } = await import('./campaign-import.ts');
      const result = await importCampaigns(tables.campaigns, await readCampaignFile(file), io);
      const added = formatNumber(result.added);
      const renamed = formatNumber(result.renamed);
      const unchanged = formatNumber(result.unchanged);
      return { json: result, text: `${added} added, ${renamed} renamed, ${unchanged} unchanged.\n` };
    },
  });
};
