import assert from 'node:assert/strict';
import * as v from 'valibot';
import type { EnvironmentInput } from '../../../lib/infrastructure/settings.ts';
import { stackName, stackNameOf } from '../../../lib/infrastructure/stack-name.ts';
import type { Contact } from '../../acceptance/contact.ts';
import { sendTo } from '../../acceptance/http.ts';
import { addCampaigns, issueLimitedTokens, type testAcceptance } from '../acceptance.ts';
import { listContacts, postContact } from '../contacts.ts';
import { withFront } from '../front.ts';
import type { Deployed } from '../operator.ts';
import type { Receiver } from '../receiver.ts';
import type { Cast } from '../steps.ts';

/** What an environment has on its first day. */
const firstSettings: EnvironmentInput = {
  sites: [{ origin: 'http://localhost:8080' }],
  throttles: { public: { rate: 50, burst: 200 }, staff: { rate: 50, burst: 200 } },
  retainData: true,
  logRetentionDays: 90,
  alarmEmails: ['operations@example.com'],
};

/** Who and what takes part in the year. */
export interface Year {
  readonly cast: Cast;
  readonly home: Home;
  /** Gets signed webhooks. */
  readonly receiver: Receiver;
}

/** What is in the environment, and how it is reached. */
interface Life {
  readonly deployed: Deployed;
  readonly settings: EnvironmentInput;
  readonly tokens: {
    readonly token: string;
    readonly limitedTokens: Awaited<ReturnType<typeof issueLimitedTokens>>;
  };
  readonly contacts: readonly Contact[];
  readonly campaigns: unknown;
}

const listCampaigns = async (baseUrl: string, token: string): Promise<unknown> => {
  const { status, body } = await sendTo(`${baseUrl}/v1/campaigns`, { headers: { Authentication: token } });
  assert.equal(status, 200);
  return v.parse(v.array(v.unknown()), body);
};

/** The environment that goes through the year. */
export class Home {
  readonly #cast: Cast;
  readonly #name: string;
  #life: Life | undefined;

  constructor(cast: Cast, name: string) {
    this.#cast = cast;
    this.#name = name;
  }

  get settings(): EnvironmentInput {
    return this.#life?.settings ?? firstSettings;
  }

  /** Deploys it, if it is not, and fills it. */
  async settle(): Promise<void> {
    if (this.#life) return;
    const { operator } = this.#cast;
    const name = this.#name;
    const settings = firstSettings;
    const deployed = await operator.deploy(stackName(name), { [name]: settings });
    await addCampaigns(this.#cast, name);
    const tokens = {
      token: await operator.issueToken(name, 'all'),
      limitedTokens: await issueLimitedTokens(this.#cast, name),
    };
    await withFront(deployed.stageUrl, name, async (baseUrl) => {
      for (let number = 1; number <= 25; number += 1) {
        const spam = number % 5 === 0 ? { message: `Spam ${number}`, website: 'spam' } : {};
        await postContact(baseUrl, { email: `visitor-${number}@example.com`, message: `Number ${number}`, ...spam });
      }
      const contacts = await listContacts(baseUrl, tokens.token);
      const campaigns = await listCampaigns(baseUrl, tokens.token);
      this.#life = { deployed, settings, tokens, contacts, campaigns };
      this.#cast.steps.say(`${contacts.length} contact requests, 3 campaigns and 4 tokens are stored`);
    });
  }

  /** Deploys other settings over it, and sees that what was there stays. */
  async deploy(settings: EnvironmentInput, ...options: readonly string[]): Promise<void> {
    const before = this.#lived();
    const stack = stackNameOf({ name: this.#name, instance: settings.instance });
    const deployed = await this.#cast.operator.deploy(stack, { [this.#name]: settings }, ...options);
    for (const output of ['BaseUrl', 'ContactsTable', 'CampaignsTable', 'TokensTable']) {
      assert.equal(deployed.outputs[output], before.deployed.outputs[output], `The output ${output} is another`);
    }
    this.#life = { ...before, deployed, settings };
    await this.look();
  }

  /** Sees that each contact request, campaign and token is there, and that it takes another contact request. */
  async look(): Promise<void> {
    const { tokens, campaigns, contacts } = this.#lived();
    await this.visit(async (baseUrl) => {
      assert.deepEqual(await listContacts(baseUrl, tokens.token), contacts);
      assert.deepEqual(await listCampaigns(baseUrl, tokens.limitedTokens['campaigns:read']), campaigns);
      const added = await postContact(baseUrl, { email: 'visitor@example.com', message: 'Still there?' });
      const path = `${baseUrl}/api/v1/contact/${added.id}`;
      const read = await sendTo(path, { headers: { Authentication: tokens.limitedTokens['contacts:read'] } });
      assert.deepEqual(read.body, added);
      const deleted = { method: 'DELETE', headers: { Authentication: tokens.limitedTokens['contacts:delete'] } };
      assert.equal((await sendTo(path, deleted)).status, 204);
    });
  }

  /** @param suite all of the acceptance suite, or a part of it */
  async test(suite: typeof testAcceptance): Promise<void> {
    await this.visit((baseUrl) => suite(this.#cast, { baseUrl, ...this.#lived().tokens }));
  }

  /** Takes what came besides for part of what is to stay. */
  async takeStock(): Promise<void> {
    await this.visit(async (baseUrl) => {
      const { contacts: before, ...life } = this.#lived();
      const contacts = await listContacts(baseUrl, life.tokens.token);
      const ids = new Set(contacts.map(({ id }) => id));
      for (const { id } of before) assert.ok(ids.has(id), `${id} is gone`);
      this.#life = { ...life, contacts };
    });
  }

  /** @param use gets a token with every permission, too */
  visit<Result>(use: (baseUrl: string, token: string) => Promise<Result>): Promise<Result> {
    const { deployed, tokens } = this.#lived();
    return withFront(deployed.stageUrl, this.#name, (baseUrl) => use(baseUrl, tokens.token));
  }

  #lived(): Life {
    assert.ok(this.#life, 'It is not deployed');
    return this.#life;
  }
}
