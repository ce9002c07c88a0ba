import assert from 'node:assert/strict';
import { type EnvironmentInput, stackNameOf } from '../../../lib/infrastructure/settings.ts';
import type { testAcceptance } from '../acceptance.ts';
import { listContacts } from '../contacts.ts';
import { withFront } from '../front.ts';
import { findAll, type Inhabited, inhabit, postOneMore, takeAway } from '../inhabited.ts';
import type { Cast } from '../steps.ts';

/** The environment whose settings change. */
export const environment = 'prod';

/** On its first day. */
const firstSettings: EnvironmentInput = {
  sites: [{ origin: 'http://localhost:8080' }],
  throttles: { public: { rate: 50, burst: 200 }, staff: { rate: 50, burst: 200 } },
  retainData: true,
  logRetentionDays: 90,
  alarmEmails: ['operations@example.com'],
};

/** An environment with data in it, which stay whatever is deployed over it. */
export class Home {
  readonly #cast: Cast;
  #settings: EnvironmentInput;
  #now: Inhabited;

  private constructor(cast: Cast, settings: EnvironmentInput, now: Inhabited) {
    this.#cast = cast;
    this.#settings = settings;
    this.#now = now;
  }

  /** Deploys it, and fills it. */
  static async settle(cast: Cast): Promise<Home> {
    return new Home(cast, firstSettings, await inhabit(cast, environment, firstSettings));
  }

  get settings(): EnvironmentInput {
    return this.#settings;
  }

  /** Deploys other settings over it, and checks that its data are still there. */
  async deploy(settings: EnvironmentInput, ...options: readonly string[]): Promise<void> {
    const stack = stackNameOf({ name: environment, instance: settings.instance });
    const deployed = await this.#cast.operator.deploy(stack, { [environment]: settings }, ...options);
    for (const output of ['BaseUrl', 'ContactsTable', 'CampaignsTable', 'TokensTable']) {
      assert.equal(deployed.outputs[output], this.#now.deployed.outputs[output], `The output ${output} is another`);
    }
    this.#now = { ...this.#now, deployed };
    this.#settings = settings;
    await this.look();
  }

  /** Checks that each contact request, each campaign and the token are there, and that it takes another contact request. */
  async look(): Promise<void> {
    const { deployed } = this.#now;
    await findAll(this.#now, deployed, environment);
    await takeAway(this.#now, deployed, environment, await postOneMore(deployed, environment));
  }

  /** @param suite all of the acceptance suite, or a part of it */
  test(suite: typeof testAcceptance): Promise<void> {
    return this.visit((baseUrl, token) => suite(this.#cast, { baseUrl, token }));
  }

  /** Expects from now on what came besides. */
  takeStock(): Promise<void> {
    return this.visit(async (baseUrl, token) => {
      const contacts = await listContacts(baseUrl, token);
      const ids = new Set(contacts.map(({ id }) => id));
      for (const { id } of this.#now.contacts) assert.ok(ids.has(id), `${id} is gone`);
      this.#now = { ...this.#now, contacts };
    });
  }

  /** @param use gets a token with every permission, too */
  visit<Result>(use: (baseUrl: string, token: string) => Promise<Result>): Promise<Result> {
    const { deployed, token } = this.#now;
    return withFront(deployed.stageUrl, environment, (baseUrl) => use(baseUrl, token));
  }
}
