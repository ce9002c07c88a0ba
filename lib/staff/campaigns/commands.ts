import * as v from 'valibot';
import { campaignName } from '../../../functions/campaigns/campaign.ts';
import { explained, json, shownAs, uuid } from '../command-line/arguments.ts';
import { command } from '../command-line/command.ts';
import { readWholeFile } from '../command-line/files.ts';
import { printJson, printJsonList } from '../command-line/json.ts';
import { withProgress } from '../command-line/progress.ts';
import { formatNumber, printable } from '../command-line/text.ts';
import type { Staff } from '../context.ts';
import { sayLeftOut } from '../tables/left-out.ts';

// What reaches the tables takes a while to load: only a command that runs does.
const load = () => import('./campaigns.ts');

const name = explained('Its name: 1 to 200 characters.', campaignName);

const campaignsOf = ({ tables }: Staff) => ({ client: tables.client, table: tables.campaigns });

export const campaignCommands = [
  command({
    name: 'campaigns add',
    does: 'Adds a campaign and prints its id.',
    example: '"Spring sale" --env prod',
    changes: true,
    positionals: ['name'],
    entries: { name, json },
    run: async (staff, { name, json }) => {
      const { addCampaign } = await load();
      const campaign = await addCampaign(campaignsOf(staff), name);
      if (json) await printJson(staff, campaign);
      else staff.stdout.write(`${campaign.id}\n`);
    },
  }),

  command({
    name: 'campaigns rename',
    does: 'Gives a campaign another name.',
    example: '8f14e45f-ceea-467f-a0f1-6d6b3f1c2a10 "Summer sale"',
    changes: true,
    positionals: ['id', 'name'],
    entries: { id: uuid, name, json },
    run: async (staff, { id, name, json }) => {
      const { renameCampaign } = await load();
      await renameCampaign(campaignsOf(staff), { id, name });
      if (json) await printJson(staff, { id, name });
      else staff.stdout.write(`Renamed the campaign ${id} to "${printable(name)}".\n`);
    },
  }),

  command({
    name: 'campaigns remove',
    does: 'Removes a campaign.',
    example: '8f14e45f-ceea-467f-a0f1-6d6b3f1c2a10',
    changes: true,
    positionals: ['id'],
    entries: { id: uuid, json },
    run: async (staff, { id, json }) => {
      const { removeCampaign } = await load();
      await removeCampaign(campaignsOf(staff), id);
      if (json) await printJson(staff, { id });
      else staff.stdout.write(`Removed the campaign ${id}.\n`);
    },
  }),

  command({
    name: 'campaigns list',
    does: 'Lists the campaigns by name.',
    example: '--json --env prod',
    entries: { json },
    run: async (staff, { json }) => {
      const { listCampaigns } = await load();
      const campaigns = await listCampaigns(campaignsOf(staff), sayLeftOut(staff, 'campaign'));
      if (json) return printJsonList(staff, [campaigns]);
      const { printTable } = await import('../command-line/table.ts');
      return printTable(
        staff,
        [{ head: 'ID' }, { head: 'NAME', shrinks: true }],
        [campaigns.map(({ id, name }) => [id, name])],
      );
    },
  }),

  command({
    name: 'campaigns import',
    does: 'Adds or renames the campaigns of a CSV file with the columns name and, optionally, id.',
    example: 'campaigns.csv --env prod',
    changes: true,
    positionals: ['file'],
    entries: { file: explained('A CSV file in UTF-8 with a header.', shownAs('<file.csv>', v.string())), json },
    run: async (staff, { file, json }) => {
      const [{ parseCampaignFile }, { importCampaigns }] = await Promise.all([
        import('./file.ts'),
        import('./import.ts'),
      ]);
      const rows = parseCampaignFile(await readWholeFile(file));
      const result = await withProgress(staff, ['campaign', 'written'], (report) =>
        importCampaigns(campaignsOf(staff), rows, { ...staff, report, leaveOut: sayLeftOut(staff, 'campaign') }),
      );
      if (json) return printJson(staff, result);
      const [added, renamed, unchanged] = [result.added, result.renamed, result.unchanged].map(formatNumber);
      staff.stdout.write(`${added} added, ${renamed} renamed, ${unchanged} unchanged.\n`);
    },
  }),
];
