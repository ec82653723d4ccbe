import type { RealmRef } from '#kernel/auth';
import { lockLog } from '#kernel/events';
import type { Context } from '#kernel/context';
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
import { assertOrder, isSameList } from './rules.ts';
import type { LinkifierId, LinkifierRow } from './tables.ts';
import { toWireLinkifier } from './wire.ts';

/** Adds a linkifier behind all others. See protocol/linkifiers#adding. */
export async function addLinkifier(context: Context, realm: RealmRef, columns: LinkifierColumns): Promise<LinkifierId> {
  const before = await context.store.in(realm).query((tx) => listLinkifiers(tx));
  assertLinkifier(columns, patternsOf(before));
  const id = await context.store.in(realm).write(async (tx) => {
    const now = await lockedList(tx);
    // Somebody may have added one meanwhile; compiling patterns has no place in a transaction.
    if (!isSameList(patternsOf(now), patternsOf(before))) return undefined;
    const row = await insertLinkifier(tx, columns, (now.at(-1)?.position ?? -1) + 1);
    announce(tx, [...now, row]);
    return row.id;
  });
  return id ?? addLinkifier(context, realm, columns);
}

/** What of a linkifier changes; undefined stays. */
export type LinkifierChange = Pick<LinkifierColumns, 'pattern' | 'url_template'> & {
  readonly [K in keyof LinkifierColumns]?: LinkifierColumns[K] | undefined;
};

/** Changes a linkifier; what stays as it is, is not announced. See protocol/linkifiers#changing. */
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
    announce(
      tx,
      now.map((one) => (one.id === id ? { ...one, ...columns } : one)),
    );
    return true;
  });
  if (!isDone) await updateLinkifier(context, realm, id, change);
}

/** Deletes a linkifier; links that messages have stay. See protocol/linkifiers#changing. */
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

/** Applies the linkifiers in another order, which names each of them once. See protocol/linkifiers#changing. */
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
 * Throws what is wrong with a linkifier; `others` are the patterns there are besides. See protocol/linkifiers#adding.
 */
function assertLinkifier(proposed: ProposedLinkifier, others: readonly string[]): void {
  const fault = checkLinkifier(proposed, others.includes(proposed.pattern));
  if (fault?.kind === 'fields') throw invalidFields(fault.errors);
  if (fault) throw ExampleRequired({ required_parameter: 'Example text', set_parameter: 'auto-conversion field' });
}

/** The linkifiers, which nobody else changes until the transaction ends. */
async function lockedList(tx: RealmWriteTx): Promise<readonly LinkifierRow[]> {
  await lockLog(tx);
  return listLinkifiers(tx);
}

function announce(tx: RealmWriteTx, rows: readonly LinkifierRow[]): void {
  tx.emit(linkifiersChanged(tx.realmId, { realm_linkifiers: rows.map(toWireLinkifier) }));
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
