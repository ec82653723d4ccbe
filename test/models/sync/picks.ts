import type { Body, Client, Parameters } from '../../support/client.ts';

/** A request that changes something, if it is not refused. */
export type Step = readonly [method: 'POST' | 'PATCH' | 'PUT' | 'DELETE', path: string, parameters?: Parameters];

/** Kinds of changes, by name. */
export type Steps = Readonly<Record<string, (picks: Picks) => Step>>;

/** What exists in an organization, as its owner sees it. */
interface Things {
  readonly channels: readonly { readonly id: number; readonly name: string }[];
  readonly groups: readonly number[];
  /** Groups that people made. */
  readonly ownGroups: readonly number[];
  readonly messages: readonly number[];
  readonly state: Body;
}

const TOPICS = ['owl', 'tit', '✔ owl', ''];

interface Choices {
  readonly things: Things;
  readonly people: readonly Client[];
  readonly own: Body;
  readonly nowMs: number;
}

/** Arbitrary choices among what exists, the same for the same seed. */
export class Picks {
  #seed: number;
  readonly #things: Things;
  readonly #people: readonly Client[];
  /** The state of whoever acts. */
  readonly #own: Body;
  readonly #nowMs: number;

  constructor(seed: number, { things, people, own, nowMs }: Choices) {
    this.#seed = seed;
    this.#things = things;
    this.#people = people;
    this.#own = own;
    this.#nowMs = nowMs;
  }

  /** A whole number below `bound`. */
  below(bound: number): number {
    // Constants of a linear congruential generator (Numerical Recipes).
    this.#seed = (Math.imul(this.#seed, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((this.#seed / 2 ** 32) * bound);
  }

  of<T>(list: readonly T[]): T {
    const chosen = list[this.below(list.length)];
    if (chosen === undefined) throw new Error('nothing to choose from');
    return chosen;
  }

  /** One of a list, or a number that names nothing. */
  ofSome(list: readonly number[]): number {
    return list.length === 0 ? 9999 : this.of(list);
  }

  some<T>(list: readonly T[]): readonly T[] {
    return list.filter(() => this.yes());
  }

  yes = () => this.below(2) === 0;
  channel = () => this.of(this.#things.channels);
  channelId = () => this.channel().id;
  /** One of the newest messages. */
  message = () => this.ofSome(this.#things.messages.slice(-12));
  messages = () => this.some(this.#things.messages.slice(-12));
  topic = () => this.of(TOPICS);
  person = () => this.of(this.#people).userId;
  people = () => this.some(this.#people).map((one) => one.userId);
  group = () => this.of(this.#things.groups);
  ownGroup = () => this.ofSome(this.#things.ownGroups);
  groups = () => this.some(this.#things.groups);
  text = (name: string) => `${name} ${this.below(1000)}`;

  /** A value of a group setting: a group, or people and groups. */
  setting(): number | { direct_members: readonly number[]; direct_subgroups: readonly number[] } {
    if (this.yes()) return this.group();
    return { direct_members: this.people().slice(0, 2), direct_subgroups: this.groups().slice(0, 1) };
  }

  /** IDs of the objects of a field of the owner's state. */
  ids(field: string): readonly number[] {
    const found = this.#things.state[field];
    return (Array.isArray(found) ? found : Object.values(found ?? {})).map((one: Body) => one['id'] ?? one['user_id']);
  }

  /** Names of the group settings of channels or groups. */
  permissions = (field: string) =>
    Object.keys(this.#things.state[field][0] ?? { can_manage_group: 0 }).filter(isPermission);

  organizationPermissions = () => this.#organizationSettings().filter(isPermission);
  switches = () => this.#organizationSettings().filter((name) => isSwitch(this.#things.state[`realm_${name}`]));
  ownSwitches = () => namesOf(this.#own['user_settings'] ?? { enable_sounds: true }, isSwitch);

  id = (field: string) => this.ofSome(this.ids(field));

  /** The ID of one of the things that the actor keeps, by the field of their state and the name of the ID. */
  own(field: string, id: string): number {
    return this.ofSome((this.#own[field] ?? []).map((one: Body) => one[id]));
  }

  #organizationSettings = () =>
    Object.keys(this.#things.state).flatMap((name) => (name.startsWith('realm_') ? [name.slice('realm_'.length)] : []));

  /** The ID of a system group. */
  groupNamed(name: string): number {
    return this.#things.state['realm_user_groups'].find((row: Body) => row['name'] === name).id;
  }

  /** Seconds since 1970, by the clock of the test. */
  now = () => Math.floor(this.#nowMs / 1000);
}

const isPermission = (name: string) => /^can_.*_group$|_permission_group$/.test(name);
const isSwitch = (value: unknown) => typeof value === 'boolean';
const namesOf = (row: Body, isWanted: (value: unknown) => boolean) =>
  Object.entries(row).flatMap(([name, value]) => (isWanted(value) ? [name] : []));

/** What exists in the organization, by the state of its owner. */
export async function thingsOf(olive: Client, state: Body): Promise<Things> {
  const { messages } = await olive.get('/messages', { anchor: 'newest', num_before: 20, num_after: 0 });
  return {
    channels: ['subscriptions', 'unsubscribed', 'never_subscribed'].flatMap((field) =>
      state[field].map((row: Body) => ({ id: row['stream_id'], name: row['name'] })),
    ),
    groups: state['realm_user_groups'].map((row: Body) => row['id']),
    ownGroups: state['realm_user_groups'].flatMap((row: Body) => (row['is_system_group'] ? [] : [row['id']])),
    messages: messages.map((row: Body) => row['id']),
    state,
  };
}
