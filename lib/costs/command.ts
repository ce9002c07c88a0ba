import * as v from 'valibot';
import { explained, flag, shownAs } from '../staff/command-line/arguments.ts';
import { toolCommand } from '../staff/command-line/command.ts';
import { StaffError } from '../staff/command-line/staff-error.ts';

const number = (means: string, fallback: string, min: number) =>
  explained(
    means,
    shownAs(
      '<number>',
      v.optional(
        v.pipe(
          v.string(),
          v.regex(/^\d{1,12}$/, `Use a whole number from ${min} on, such as 10000.`),
          v.transform(Number),
          v.minValue(min, `Use a whole number from ${min} on, such as 10000.`),
        ),
        fallback,
      ),
    ),
  );

const entries = {
  contacts: number('Contact requests a month.', '1000000', 1),
  lists: number('Lists of contact requests that scripts ask for, a month.', '10000', 0),
  fetches: number('Single contact requests that scripts fetch, a month.', '0', 0),
  deletes: number('Contact requests that scripts delete, a month.', '0', 0),
  'kept-months': number('How many months contact requests are kept.', '12', 1),
  waf: explained('With a web ACL before the API.', flag),
  email: explained('With an e-mail to somebody for each contact request.', flag),
  webhook: explained('With a call of a webhook for each contact request.', flag),
  flood: explained('What a day of a flood costs instead.', flag),
  sources: explained('Where each number comes from instead.', flag),
};

export const costsCommand = toolCommand({
  name: 'costs',
  does: 'Tells what a deployed environment costs in a month by what it is used for, at list prices, and what hosted form backends take for as much.',
  example: '--contacts 20000 --waf',
  entries,
  run: async ({ stdout, loadSettings }, { 'kept-months': keptMonths, sources, flood, ...rest }) => {
    const [{ floodText, monthText, sourcesText }, { parseEnvironment }, { file, environments }] = await Promise.all([
      import('./texts.ts'),
      import('../infrastructure/settings.ts'),
      loadSettings(),
    ]);
    if (sources) return void stdout.write(sourcesText());
    const { prod } = environments;
    if (!prod) {
      throw new StaffError(
        `The costs are those of the environment "prod", which the settings do not name (${file}): CRCS_SETTINGS names other settings (docs/settings.md).`,
      );
    }
    const settings = parseEnvironment('prod', prod);
    stdout.write(flood ? floodText(rest.waf, settings) : monthText({ ...rest, keptMonths }, settings));
  },
});
