import { SECONDS_PER_DAY } from '#kernel/clock';
import type { Actor } from '#kernel/auth';
import type { Viewer } from '#kernel/events';
import { RawBody, type RequestFacts } from '#kernel/endpoint';
import { join, pack } from '#kernel/gzip';
import type { Context } from '#kernel/context';
import type { PresenceList, PresenceAnswer } from './list.ts';
import { InvalidStatus } from './errors.ts';
import type { RealmPeople } from './people.ts';
import { presenceCache } from './cache.ts';
import { HISTORY_DAYS, type Status, STATUSES } from './rules.ts';

/** A ping, decoded. See protocol/presence#reporting. */
export interface Ping {
  readonly status: string;
  readonly last_update_id: number | undefined;
  readonly history_limit_days: number | undefined;
  readonly new_user_input: boolean;
  readonly ping_only: boolean;
  readonly slim_presence: boolean;
}

/** The answer to a ping that asks for no data. */
interface Answer {
  readonly presence_last_update_id: number;
}

/** The end of an answer with data. */
const END = '}}';

/** Records a ping and answers with new presences. See protocol/presence#reporting. */
export async function answerPing(
  context: Context,
  actor: Actor,
  ping: Ping,
  { acceptsGzip, ignoredParameters }: Pick<RequestFacts, 'acceptsGzip' | 'ignoredParameters'>,
): Promise<Answer | RawBody> {
  const status = parseStatus(ping.status);
  const cache = await presenceCache(context, actor.realm);
  const people = await cache.peopleWith(actor.userId);
  const person = people.byId.get(actor.userId);
  if (person?.isShown) await cache.writer.ping(people, person, status);
  if (person && (status === 'active' || ping.new_user_input)) await cache.noteLife(person);
  const sent = ping.last_update_id ?? -1;
  if (ping.ping_only) return { presence_last_update_id: sent };
  const presences = people.isDisabled
    ? undefined
    : news(await cache.list(), people, actor.viewer, { ping, now: context.clock.now() });
  const head = {
    result: 'success',
    msg: '',
    presence_last_update_id: presences ? (presences.newest ?? sent) : -1,
    server_timestamp: context.clock.nowMs() / 1000,
    ...(ignoredParameters.length > 0 && { ignored_parameters_unsupported: ignoredParameters }),
  };
  return assembled(JSON.stringify(head).slice(0, -1), presences, acceptsGzip);
}

function parseStatus(text: string): Status {
  const status = STATUSES.find((candidate) => candidate === text);
  if (!status) throw InvalidStatus({ status: text });
  return status;
}

/** The presences of active people that the client does not have. See protocol/presence#read. */
function news(
  list: PresenceList,
  people: RealmPeople,
  { hidden }: Viewer,
  { ping, now }: { readonly ping: Ping; readonly now: number },
): PresenceAnswer {
  const isFirst = ping.last_update_id === undefined || ping.last_update_id <= 0;
  const days = ping.history_limit_days ?? HISTORY_DAYS;
  if (isFirst && days <= 0) return { own: '', shared: [], newest: undefined };
  return list.select({
    form: ping.last_update_id !== undefined || ping.slim_presence ? 'modern' : 'legacy',
    people,
    after: ping.last_update_id ?? -1,
    since: isFirst ? now - days * SECONDS_PER_DAY : Number.NEGATIVE_INFINITY,
    hidden,
  });
}

/** Joins the reply's fields and the presences; the bytes of shared chunks are used as they are. */
async function assembled(
  fields: string,
  presences: PresenceAnswer | undefined,
  acceptsGzip: boolean,
): Promise<RawBody> {
  const { own, shared } = presences ?? { own: '', shared: [] };
  const start = `${fields},"presences":{`;
  const [first, ...others] = shared;
  if (!first) return new RawBody(`${start}${own}${END}`);
  // Each shared text begins with a comma, which must be dropped from the first member of the object.
  const begin = own === '' ? `${start}${first.text.toString('utf8', 1)}` : `${start}${own}`;
  const chunks = own === '' ? others : shared;
  if (!acceptsGzip) return new RawBody([Buffer.from(begin), ...chunks.map(({ text }) => text), Buffer.from(END)]);
  const packed = await Promise.all(chunks.map((chunk) => chunk.packed));
  return new RawBody(join([await pack(Buffer.from(begin)), ...packed, await pack(Buffer.from(END))]), 'gzip');
}
