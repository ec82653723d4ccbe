import type { Actor, RealmRef } from '#kernel/auth';
import { RawBody } from '#kernel/endpoint';
import type { Kit } from '#kernel/kit';
import type { Entry, PresenceBook } from './book.ts';
import { InvalidStatus } from './errors.ts';
import type { Company, Person } from './people.ts';
import { presenceRoom } from './room.ts';
import { HISTORY_DAYS, type Status, STATUSES } from './rules.ts';
import { toLegacy, toModern } from './to-wire.ts';
import type { Presences } from './wire.ts';

/** A ping, decoded. Api 4.5. */
export interface Ping {
  readonly status: string;
  readonly last_update_id: number | undefined;
  readonly history_limit_days: number | undefined;
  readonly new_user_input: boolean;
  readonly ping_only: boolean;
  readonly slim_presence: boolean;
}

/** What a ping is answered with; the last two only where data was wanted. */
interface Answer {
  readonly presence_last_update_id: number;
  readonly server_timestamp?: number;
  readonly presences?: Presences;
}

const SECONDS_A_DAY = 86_400;

/**
 * Writes a ping down and answers with what is new. Contract operations 4.5. `ignored` are names the client sent that
 * nobody knows.
 */
export async function answerPing(
  kit: Kit,
  realm: RealmRef,
  actor: Actor,
  ping: Ping,
  ignored: readonly string[],
): Promise<Answer | RawBody> {
  const status = parseStatus(ping.status);
  const room = await presenceRoom(kit, realm);
  const company = await room.company(actor.userId);
  const person = company.people.get(actor.userId);
  if (person?.isShown) await room.ping(person, status);
  if (person && (status === 'active' || ping.new_user_input)) await room.noteLife(person);
  const sent = ping.last_update_id ?? -1;
  if (ping.ping_only) return { presence_last_update_id: sent };
  const server_timestamp = kit.clock.nowMs() / 1000;
  if (company.isDisabled) return { presence_last_update_id: -1, server_timestamp, presences: {} };
  const seen = news(await room.book(), company, ping, kit.clock.now());
  const presence_last_update_id = seen.at(-1)?.entry.row.update_id ?? sent;
  const { hidden } = actor.viewer;
  const found = hidden ? seen.filter(({ person }) => !hidden.has(person.user_id)) : seen;
  const isModern = ping.last_update_id !== undefined || ping.slim_presence;
  if (!isModern) return { presence_last_update_id, server_timestamp, presences: toLegacyPresences(found) };
  const rest = ignored.length > 0 ? { ignored_parameters_unsupported: ignored } : {};
  const head = JSON.stringify({ result: 'success', msg: '', presence_last_update_id, server_timestamp, ...rest });
  return new RawBody(`${head.slice(0, -1)},"presences":{${found.map(modernText).join()}}}`);
}

function parseStatus(text: string): Status {
  const status = STATUSES.find((candidate) => candidate === text);
  if (!status) throw InvalidStatus({ status: text });
  return status;
}

interface Found {
  readonly entry: Entry;
  readonly person: Person;
}

/** Rows of active people that the client does not have, oldest update first. Contract operations 4.5, read algorithm. */
function news(book: PresenceBook, { people }: Company, ping: Ping, now: number): readonly Found[] {
  const isFirst = ping.last_update_id === undefined || ping.last_update_id <= 0;
  const days = ping.history_limit_days ?? HISTORY_DAYS;
  if (isFirst && days <= 0) return [];
  const oldest = isFirst ? now - days * SECONDS_A_DAY : Number.NEGATIVE_INFINITY;
  const found: Found[] = [];
  for (const entry of book.after(ping.last_update_id ?? -1)) {
    const person = people.get(entry.row.user_id);
    if (person && entry.row.last_connected_at >= oldest) found.push({ entry, person });
  }
  return found;
}

function toLegacyPresences(found: readonly Found[]): Presences {
  return Object.fromEntries(found.map(({ entry, person }) => [person.email, toLegacy(entry.row)]));
}

/** One member of the modern form. */
function modernText({ entry, person }: Found): string {
  entry.text ??= `"${person.user_id}":${JSON.stringify(toModern(entry.row, person.date_joined))}`;
  return entry.text;
}
