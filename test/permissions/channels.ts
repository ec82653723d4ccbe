import type { Body, Client } from '../support/client.ts';
import type { People } from './people.ts';

/** Kinds of channels, each a column of the grids: archived ones are a public one and a private one with shared history. */
export const KINDS = ['public', 'shared', 'protected', 'web', 'archived', 'sealed'] as const;
export type Kind = (typeof KINDS)[number];

const PRIVACY: Readonly<Record<Kind, Body>> = {
  public: {},
  shared: { invite_only: true, history_public_to_subscribers: true },
  protected: { invite_only: true },
  web: { is_web_public: true },
  archived: {},
  sealed: { invite_only: true, history_public_to_subscribers: true },
};
const SUBSCRIBED = ['subscriber', 'subscribed guest', 'deactivated'] as const;

/** A channel of the matrix. */
export interface MatrixChannel {
  readonly kind: Kind;
  readonly id: number;
  readonly name: string;
  /** Sent before anybody but the keeper was subscribed. */
  readonly oldMessage: number;
  /** Sent while all subscribers were there. */
  readonly newMessage: number;
}

/** Makes one channel of each kind, with its permissions in the hands of the callers named after them. */
export async function makeChannels(people: People): Promise<readonly MatrixChannel[]> {
  const channels: MatrixChannel[] = [];
  for (const kind of KINDS) channels.push(await makeChannel(kind, people));
  for (const { kind, id } of channels)
    if (kind === 'archived' || kind === 'sealed') await people.keeper.delete(`/streams/${id}`);
  return channels;
}

async function makeChannel(kind: Kind, { callers, keeper, insider }: People): Promise<MatrixChannel> {
  const idOf = (name: Parameters<typeof callers.get>[0]) => callers.get(name)?.userId ?? 0;
  const only = (name: Parameters<typeof callers.get>[0]) => ({ direct_members: [idOf(name)], direct_subgroups: [] });
  const name = `the ${kind} one`;
  const { id } = await keeper.post('/channels/create', {
    name,
    subscribers: [keeper.userId],
    ...PRIVACY[kind],
    can_administer_channel_group: only('channel administrator'),
    can_subscribe_group: only('may subscribe'),
    can_add_subscribers_group: only('may add'),
    can_remove_subscribers_group: only('may remove'),
  });
  const oldMessage = await say(keeper, id);
  const principals = [insider.userId, ...SUBSCRIBED.filter((who) => who !== 'deactivated').map(idOf)];
  await keeper.post('/users/me/subscriptions', { subscriptions: [{ name }], principals });
  return { kind, id, name, oldMessage, newMessage: await say(keeper, id) };
}

async function say(client: Client, id: number): Promise<number> {
  return (await client.post('/messages', { type: 'channel', to: id, topic: 'greeting', content: 'hello' }))['id'];
}
