import type { Body } from '../support/client.ts';
import { type Account, request } from './follower.ts';

/** A sequence of numbers from 0 up to 1 that a seed fixes. */
function chances(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return state / 2 ** 32;
  };
}

interface Act {
  readonly method: string;
  readonly path: string;
  readonly fields?: Readonly<Record<string, unknown>>;
}

/** Places where the load happens. */
export interface Grounds {
  /** IDs of channels where everybody talks. */
  readonly talk: readonly number[];
  /** Names of channels that people join and leave. */
  readonly doors: readonly string[];
  readonly groupId: number;
}

/** What people do at random, one after the other; the owner's acts come from the owner. */
export class Load {
  readonly #url: string;
  readonly #chance: () => number;
  readonly #people: readonly Account[];
  readonly #owner: Account;
  readonly #grounds: Grounds;
  /** IDs of the newest messages. */
  #recent: number[] = [];
  done = 0;

  constructor(url: string, seed: number, people: readonly Account[], owner: Account, grounds: Grounds) {
    this.#url = url;
    this.#chance = chances(seed);
    this.#people = people;
    this.#owner = owner;
    this.#grounds = grounds;
  }

  /** One act of somebody. Refusals are part of it, and so is a server that is away. */
  async step(): Promise<void> {
    const { actor, act } = this.#next();
    const reply: Body | undefined = await request(this.#url, actor, act.method, act.path, act.fields ?? {}).catch(
      (error: Error) => {
        if (error.message.endsWith(' 500')) throw error;
        return undefined;
      },
    );
    if (reply?.['result'] !== 'success') return;
    this.done++;
    if (act.path === '/messages') this.#recent = [...this.#recent, reply['id']].slice(-50);
  }

  #next(): { actor: Account; act: Act } {
    const actor = this.#one(this.#people);
    if (this.#chance() < 0.15) return { actor: this.#owner, act: this.#ownersAct(actor) };
    if (this.#chance() < 0.5) return { actor, act: this.#message(this.#one(this.#people)) };
    return { actor, act: this.#ownAct() };
  }

  #one<T>(list: readonly T[]): T {
    const chosen = list[Math.floor(this.#chance() * list.length)];
    if (chosen === undefined) throw new Error('nothing to choose from');
    return chosen;
  }

  #message(other: Account): Act {
    const content = `number ${Math.floor(this.#chance() * 1e6)}`;
    const topic = `topic ${Math.floor(this.#chance() * 5)}`;
    const fields =
      this.#chance() < 0.7
        ? { type: 'channel', to: this.#one(this.#grounds.talk), topic, content }
        : { type: 'direct', to: [other.user_id], content };
    return { method: 'POST', path: '/messages', fields };
  }

  #ownAct(): Act {
    const message = this.#recent.length > 0 ? this.#one(this.#recent) : 1;
    const number = Math.floor(this.#chance() * 1000);
    const flag = this.#one(['read', 'read', 'starred']);
    const op = this.#one(['add', 'add', 'remove']);
    const stream_id = this.#one(this.#grounds.talk);
    const door = [{ name: this.#one(this.#grounds.doors) }];
    const color = `#${number.toString(16).padStart(6, '0')}`;
    return this.#one<Act>([
      { method: 'POST', path: '/messages/flags', fields: { messages: [message], op, flag } },
      { method: 'POST', path: `/messages/${message}/reactions`, fields: { emoji_name: 'octopus' } },
      { method: 'PATCH', path: `/messages/${message}`, fields: { content: `changed ${number}` } },
      { method: 'POST', path: '/users/me/subscriptions', fields: { subscriptions: door } },
      {
        method: 'DELETE',
        path: '/users/me/subscriptions',
        fields: { subscriptions: [this.#one(this.#grounds.doors)] },
      },
      {
        method: 'POST',
        path: '/users/me/subscriptions/properties',
        fields: {
          subscription_data: [
            { stream_id, property: 'color', value: color },
            { stream_id, property: 'is_muted', value: number % 2 === 0 },
          ],
        },
      },
      {
        method: 'POST',
        path: '/user_topics',
        fields: { stream_id, topic: `topic ${number % 5}`, visibility_policy: number % 4 },
      },
      {
        method: 'PATCH',
        path: '/settings',
        fields: { starred_message_counts: number % 2 === 0, web_font_size_px: 12 + (number % 8) },
      },
      { method: 'POST', path: '/saved_snippets', fields: { title: `snippet ${number}`, content: 'kept' } },
      { method: 'POST', path: '/users/me/alert_words', fields: { alert_words: [`word${number % 20}`] } },
      { method: 'DELETE', path: '/users/me/alert_words', fields: { alert_words: [`word${number % 20}`] } },
      { method: 'POST', path: '/users/me/presence', fields: { status: 'active' } },
    ]);
  }

  #ownersAct(target: Account): Act {
    const { talk, groupId } = this.#grounds;
    const number = Math.floor(this.#chance() * 1000);
    const message = this.#recent.length > 0 ? this.#one(this.#recent) : 1;
    return this.#one<Act>([
      {
        method: 'PATCH',
        path: `/users/${target.user_id}`,
        fields: { full_name: `Person ${target.user_id} ${number}` },
      },
      { method: 'POST', path: `/user_groups/${groupId}/members`, fields: { add: [target.user_id] } },
      { method: 'POST', path: `/user_groups/${groupId}/members`, fields: { delete: [target.user_id] } },
      { method: 'PATCH', path: `/streams/${this.#one(talk)}`, fields: { description: `about ${number}` } },
      { method: 'PATCH', path: '/realm', fields: { description: `organization ${number}` } },
      { method: 'POST', path: '/channel_folders/create', fields: { name: `folder ${number}`, description: '' } },
      { method: 'PATCH', path: `/users/${target.user_id}`, fields: { role: number % 2 === 0 ? 300 : 400 } },
      { method: 'DELETE', path: `/messages/${message}` },
      {
        method: 'PATCH',
        path: `/messages/${message}`,
        fields: { topic: `topic ${number % 5}`, propagate_mode: 'change_one' },
      },
    ]);
  }
}
