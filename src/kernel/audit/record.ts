import { invariant } from '#kernel/errors';
import {
  type Act,
  type Cause,
  type Closing,
  type ClosingTx,
  inParts,
  type OfRealm,
  ofRealm,
  type RealmWriteTx,
} from '#kernel/store';
import { causeOf } from './cause.ts';
import { BEGINNING, hashOfEntry, sealOf } from './chain.ts';
import type { AuditRow } from './tables.ts';

/** Longest text, most items of a list or members of an object, and deepest nesting that an entry keeps of a value. */
const MAX_TEXT = 1000;
const MAX_ITEMS = 100;
const MAX_DEPTH = 6;
/** Longest value as JSON, in UTF-16 units. */
const MAX_JSON = 10_000;

/** Names of members that are never recorded, even where a caller passes them. */
const SECRET = /api_?key|token|secret|otp|password$|^services$/i;
const HIDDEN = '(hidden)';

/** A value as JSON, cut to what an entry keeps, without secrets; null for undefined. */
function boundedJson(value: unknown): string | null {
  if (value === undefined) return null;
  const text = JSON.stringify(bounded(value, 0));
  return text.length <= MAX_JSON ? text : JSON.stringify({ cut: text.slice(0, MAX_TEXT) });
}

function bounded(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return value.length <= MAX_TEXT ? value : `${value.slice(0, MAX_TEXT)}…`;
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= MAX_DEPTH) return '…';
  if (Array.isArray(value)) {
    const items = value.slice(0, MAX_ITEMS).map((item) => bounded(item, depth + 1));
    return value.length > MAX_ITEMS ? [...items, `… of ${value.length}`] : items;
  }
  const members = Object.entries(value).slice(0, MAX_ITEMS);
  return Object.fromEntries(
    members.map(([name, member]) => [name, SECRET.test(name) ? HIDDEN : bounded(member, depth + 1)]),
  );
}

/** Entries that are chained and stored at once, before other requests are served. */
const ENTRIES_AT_ONCE = 250;

/** An entry that has no place in the chain yet. */
type Unplaced = Omit<AuditRow, 'sequence' | 'entry_hash' | 'seal'>;
/** One with the key of its seal. */
type Unsealed = { readonly entry: Unplaced; readonly key: string | undefined };

/**
 * Leaves an entry in the audit log of an organization, written with the transaction. `by` says on whose behalf where the
 * request does not know it: somebody who logs in.
 */
export function record(tx: RealmWriteTx, act: Act, by?: Pick<Cause, 'kind' | 'userId'>): void {
  const cause = causeOf(tx);
  cause.trace.recorded = true;
  tx.beforeCommit(storeEntries, { entry: entryOf(tx, act, { ...cause, ...by }), key: tx.auditKey });
}

function entryOf(tx: RealmWriteTx, { action, target, before, after }: Act, cause: Cause): Unplaced {
  return {
    realm_id: tx.realmId,
    created_at: tx.now,
    action,
    actor_kind: cause.kind,
    actor_id: cause.userId,
    via: cause.via,
    address: cause.address,
    user_agent: cause.userAgent,
    target_kind: target?.kind ?? '',
    target_id: target?.id ?? null,
    target_name: target?.name ?? null,
    said_before: boundedJson(before),
    said_after: boundedJson(after),
  };
}

/** Gives entries their places in the chains of their organizations, in one order, so that no two writes wait for each other. */
const storeEntries: Closing<Unsealed> = async (tx, entries) => {
  const realmIds = [...new Set(entries.map(({ entry }) => entry.realm_id))].toSorted((a, b) => a - b);
  for (const realmId of realmIds)
    await append(
      ofRealm(tx, realmId),
      entries.filter(({ entry }) => entry.realm_id === realmId),
    );
};

async function append(tx: ClosingTx & OfRealm, entries: readonly Unsealed[]): Promise<void> {
  const head = await tx.db
    .insertInto('audit_head')
    .values({ realm_id: tx.realmId, last_sequence: entries.length, last_hash: BEGINNING })
    .onConflict((conflict) =>
      conflict
        .column('realm_id')
        .doUpdateSet((set) => ({ last_sequence: set('audit_head.last_sequence', '+', entries.length) })),
    )
    .returning(['last_sequence', 'last_hash'])
    .executeTakeFirst();
  invariant(head, 'the end of a chain was not stored');
  let { last_hash } = head;
  let sequence = head.last_sequence - entries.length;
  const chained = ({ entry, key }: Unsealed): AuditRow => {
    const row = { ...entry, sequence: ++sequence };
    last_hash = hashOfEntry(last_hash, row);
    const seal = key === undefined ? null : sealOf(key, 'entry', { ...row, hash: last_hash });
    return { ...row, entry_hash: last_hash, seal };
  };
  await inParts(entries, ENTRIES_AT_ONCE, (some) =>
    tx.db.insertInto('audit_entry').values(some.map(chained)).execute(),
  );
  await tx.db.updateTable('audit_head').set({ last_hash }).where('realm_id', '=', tx.realmId).execute();
}
