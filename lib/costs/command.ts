import * as v from 'valibot';
import { explained, flag, json, shownAs } from '../staff/command-line/arguments.ts';
import { toolCommand } from '../staff/command-line/command.ts';
import { printJson } from '../staff/command-line/json.ts';
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
  json,
};

export const costsCommand = toolCommand({
  name: 'costs',
  does: 'Tells what a deployed environment costs in a month by what it is used for and, for the rest, the settings of prod, at list prices, and what hosted form backends take for as much.',
  example: '--contacts 20000 --waf',
  entries,
  run: async (surroundings, { 'kept-months': keptMonths, sources, flood, json, ...rest }) => {
    const [texts, figures, { parseEnvironment }, { file, environments }] = await Promise.all([
      import('./texts.ts'),
      import('./figures.ts'),
      import('../infrastructure/settings.ts'),
      surroundings.loadSettings(),
    ]);
    const print = (text: () => string, inJson: () => object) =>
      json ? printJson(surroundings, inJson()) : void surroundings.stdout.write(text());
    if (sources) return print(texts.sourcesText, figures.sourcesFigures);
    const { prod } = environments;
    if (!prod) {
      throw new StaffError(
        `The costs are those of the environment "prod", which the settings do not name (${file}): write its settings into a file, and name that by CRCS_SETTINGS (docs/settings.md).`,
      );
    }
    const settings = parseEnvironment('prod', prod);
    if (flood) {
      return print(
        () => texts.floodText(rest.waf, settings),
        () => figures.floodFigures(rest.waf, settings),
      );
    }
    const workload = { ...rest, keptMonths };
    return print(
      () => texts.monthText(workload, settings),
      () => figures.monthFigures(workload, settings),
    );
  },
});
