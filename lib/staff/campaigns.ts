import type { Command } from 'commander';
import * as v from 'valibot';
import type { Actions, Staff } from './command.ts';
import { campaignName, example, flag, jsonOption, uuid } from './options.ts';
import { printJson, printJsonList, sayUnreadable, withProgress } from './output.ts';
import { formatNumber, printable } from './text.ts';

// It loads the SDK, which --help does not need.
const load = () => import('./campaign-table.ts');

const tableOf = ({ environment }: Staff) => ({ client: environment.dynamodb, table: environment.tables.campaigns });

const list = async (staff: Staff, json: boolean): Promise<void> => {
  const { listCampaigns } = await load();
  const campaigns = await listCampaigns(tableOf(staff), sayUnreadable(staff, 'campaign'));
  if (json) return printJsonList(staff, [campaigns]);
  const { printTable } = await import('./print-table.ts');
  return printTable(staff, ['ID', 'NAME'], [campaigns.map(({ id, name }) => [id, name])]);
};

const importFile = async (staff: Staff, file: string, json: boolean): Promise<void> => {
  const [{ readCampaignFile }, { importCampaigns }] = await Promise.all([import('./campaign-file.ts'), load()]);
  const rows = await readCampaignFile(file);
  const result = await withProgress(staff, ['campaign', 'written'], (report) =>
    importCampaigns(tableOf(staff), rows, {
      signal: staff.signal,
      report,
      leaveOut: sayUnreadable(staff, 'campaign'),
    }),
  );
  if (json) return printJson(staff, result);
  const [added, renamed, unchanged] = [result.added, result.renamed, result.unchanged].map(formatNumber);
  staff.stdout.write(`${added} added, ${renamed} renamed, ${unchanged} unchanged.\n`);
};

export const addCampaignCommands = (program: Command, { reads, writes }: Actions): void => {
  const campaigns = program.command('campaigns').description('Manage campaigns');

  campaigns
    .command('add <name>')
    .description('Adds a campaign and prints its id. The name must have 1 to 200 characters.')
    .option(...jsonOption)
    .addHelpText('after', example('campaigns add "Spring sale" --env prod'))
    .action(
      writes(v.object({ name: campaignName, json: flag }), async (staff, { name, json }) => {
        const { addCampaign } = await load();
        const campaign = await addCampaign(tableOf(staff), name);
        if (json) await printJson(staff, campaign);
        else staff.stdout.write(`${campaign.id}\n`);
      }),
    );

  campaigns
    .command('rename <id> <name>')
    .description('Renames a campaign.')
    .option(...jsonOption)
    .addHelpText('after', example('campaigns rename 8f14e45f-ceea-467f-a0f1-6d6b3f1c2a10 "Summer sale"'))
    .action(
      writes(v.object({ id: uuid, name: campaignName, json: flag }), async (staff, { id, name, json }) => {
        const { renameCampaign } = await load();
        await renameCampaign(tableOf(staff), { id, name });
        if (json) await printJson(staff, { id, name });
        else staff.stdout.write(`Renamed the campaign ${id} to "${printable(name)}".\n`);
      }),
    );

  campaigns
    .command('remove <id>')
    .description('Removes a campaign.')
    .option(...jsonOption)
    .addHelpText('after', example('campaigns remove 8f14e45f-ceea-467f-a0f1-6d6b3f1c2a10'))
    .action(
      writes(v.object({ id: uuid, json: flag }), async (staff, { id, json }) => {
        const { removeCampaign } = await load();
        await removeCampaign(tableOf(staff), id);
        if (json) await printJson(staff, { id });
        else staff.stdout.write(`Removed the campaign ${id}.\n`);
      }),
    );

  campaigns
    .command('list')
    .description('Lists all campaigns by name.')
    .option(...jsonOption)
    .addHelpText('after', example('campaigns list --json --env prod'))
    .action(reads(v.object({ json: flag }), (staff, { json }) => list(staff, json)));

  campaigns
    .command('import <file>')
    .description(
      'Adds or renames campaigns from a UTF-8 CSV file. The file needs a column "name"; "id" is optional. Repeating an import changes nothing.',
    )
    .option(...jsonOption)
    .addHelpText('after', example('campaigns import campaigns.csv --env prod'))
    .action(
      writes(v.object({ file: v.string(), json: flag }), (staff, { file, json }) => importFile(staff, file, json)),
    );
};
