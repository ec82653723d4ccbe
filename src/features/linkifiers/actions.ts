import { assertListRoom } from '#features/realms';
import type { RealmRef } from '#kernel/auth';
import { lockLog } from '#kernel/events';
import type { Context } from '#kernel/context';
import { isSameList } from '#kernel/lists';
import { checkLinkifier, type ProposedLinkifier } from '#kernel/markdown';
import type { RealmWriteTx } from '#kernel/store';
import { ExampleRequired, invalidFields, LinkifierMissing } from './errors.ts';
import { linkifiersChanged } from './events.ts';
import {
  deleteLinkifier,
  insertLinkifier,
  type LinkifierColumns,
  listLinkifiers,
  setLinkifier,
  setLinkifierOrder,
} from './queries.ts';
import { assertOrder } from './rules.ts';
import type { LinkifierId, LinkifierRow } from './tables.ts';
import { toWireLinkifier } from './wire.ts';

/** Adds a linkifier after all others. See protocol/linkifiers#adding. */
export async function addLinkifier(context: Context, realm: RealmRef, columns: LinkifierColumns): Promise<LinkifierId> {
  const before = await context.store.in(realm).query((tx) => listLinkifiers(tx));
  assertLinkifier(columns, patternsOf(before));
  const id = await context.store.in(realm).write(async (tx) => {
    const now = await lockedList(tx);
    // Somebody may have added one in the meantime. Patterns are not compiled inside the transaction; the caller tries
    // again.
    if (!isSameList(patternsOf(now), patternsOf(before))) return undefined;
    const row = await insertLinkifier(tx, columns, (now.at(-1)?.position ?? -1) + 1);
    announce(tx, withRoom([...now, row], now));
    return row.id;
  });
  return id ?? addLinkifier(context, realm, columns);
}

/** The changes to a linkifier; undefined members stay. */
export type LinkifierChange = Pick<LinkifierColumns, 'pattern' | 'url_template'> & {
  readonly [K in keyof LinkifierColumns]?: LinkifierColumns[K] | undefined;
};

/** Changes a linkifier; emits no event if nothing changes. See protocol/linkifiers#changing. */
export async function updateLinkifier(
  context: Context,
  realm: RealmRef,
  id: LinkifierId,
  change: LinkifierChange,
): Promise<void> {
  const before = await context.store.in(realm).query((tx) => listLinkifiers(tx));
  const row = before.find((one) => one.id === id);
  if (!row) throw LinkifierMissing();
  const columns = merged(row, change);
  assertLinkifier(columns, patternsOf(before.filter((one) => one.id !== id)));
  const isDone = await context.store.in(realm).write(async (tx) => {
    const now = await lockedList(tx);
    const current = now.find((one) => one.id === id);
    if (!current || !isSame(current, row) || !isSameList(patternsOf(now), patternsOf(before))) return false;
    if (isSame(columns, row)) return true;
    await setLinkifier(tx, id, columns);
    const after = now.map((one) => (one.id === id ? { ...one, ...columns } : one));
    announce(tx, withRoom(after, now));
    return true;
  });
  if (!isDone) await updateLinkifier(context, realm, id, change);
}

/** Deletes a linkifier; links in existing messages stay. See protocol/linkifiers#changing. */
export function removeLinkifier(context: Context, realm: RealmRef, id: LinkifierId): Promise<void> {
  return context.store.in(realm).write(async (tx) => {
    const before = await lockedList(tx);
    if (!(await deleteLinkifier(tx, id))) throw LinkifierMissing();
    announce(
      tx,
      before.filter((row) => row.id !== id),
    );
  });
}

/** Sets the order of the linkifiers; it must name each of them once. See protocol/linkifiers#changing. */
export function reorderLinkifiers(context: Context, realm: RealmRef, order: readonly LinkifierId[]): Promise<void> {
  return context.store.in(realm).write(async (tx) => {
    const known = (await lockedList(tx)).map((row) => row.id);
    assertOrder(known, order);
    if (isSameList(known, order)) return;
    await setLinkifierOrder(tx, order);
    announce(tx, await listLinkifiers(tx));
  });
}

/**
 * Throws if a linkifier is not valid; `others` are the patterns of the other linkifiers. See
 * protocol/linkifiers#adding.
 */
function assertLinkifier(proposed: ProposedLinkifier, others: readonly string[]): void {
  const fault = checkLinkifier(proposed, others.includes(proposed.pattern));
  if (fault?.kind === 'fields') throw invalidFields(fault.errors);
  if (fault) throw ExampleRequired({ required_parameter: 'Example text', set_parameter: 'auto-conversion field' });
}

/** Locks the log and lists the linkifiers, which nobody else can change until the transaction ends. */
async function lockedList(tx: RealmWriteTx): Promise<readonly LinkifierRow[]> {
  await lockLog(tx);
  return listLinkifiers(tx);
}

function announce(tx: RealmWriteTx, rows: readonly LinkifierRow[]): void {
  tx.emit(linkifiersChanged({ realm_linkifiers: rows.map(toWireLinkifier) }));
}

/** Returns the rows; throws if a change made them too many or too long for a list. */
function withRoom(rows: readonly LinkifierRow[], before: readonly LinkifierRow[]): readonly LinkifierRow[] {
  assertListRoom('linkifiers', rows.map(toWireLinkifier), before.map(toWireLinkifier));
  return rows;
}

const patternsOf = (rows: readonly LinkifierRow[]): readonly string[] => rows.map((row) => row.pattern);

function merged(row: LinkifierRow, change: LinkifierChange): LinkifierColumns {
  const { example_input = row.example_input, reverse_template = row.reverse_template } = change;
  const { alternative_url_templates = row.alternative_url_templates, pattern, url_template } = change;
  return { pattern, url_template, example_input, reverse_template, alternative_url_templates };
}

function isSame(one: LinkifierColumns, other: LinkifierColumns): boolean {
  const texts = ['pattern', 'url_template', 'example_input', 'reverse_template'] as const;
  return (
    texts.every((name) => one[name] === other[name]) &&
    isSameList(one.alternative_url_templates, other.alternative_url_templates)
  );
}
