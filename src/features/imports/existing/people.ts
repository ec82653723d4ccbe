import { addPerson, deactivateAccount } from '#features/accounts';
import { allRowsOf } from '#kernel/store';
import { lockLog } from '#kernel/events';
import { asId, type UserId } from '#kernel/ids';
import { Role } from '#kernel/permissions';
import { foldCase } from '#kernel/text';
import { allowedName } from '../people.ts';
import { findItems, insertItems, itemKey } from '../queries.ts';
import type { Joining, Keyed } from './joining.ts';

/** Which people of the archive have an account here already, and who gets one. */
export interface People {
  readonly known: ReadonlyMap<number, UserId>;
  readonly fresh: readonly Keyed[];
}

/** Joins the people of an archive with accounts: those that came before, and those of the same address. */
export async function matchPeople({ context, realm, tables, product }: Joining): Promise<People> {
  const rows = tables.rows('zerver_userprofile').map((row) => ({
    row,
    id: row.id('id'),
    key: itemKey(product, row.text('import_key')),
  }));
  return context.store.in(realm).read(async (tx) => {
    const keys = rows.map(({ key }) => key);
    const items = await findItems(tx, 'person', keys);
    const accounts = await allRowsOf(tx, 'user');
    const byAddress = new Map(accounts.filter((one) => !one.is_bot).map(({ email_key, id }) => [email_key, id]));
    const known = new Map<number, UserId>();
    for (const { row, id, key } of rows) {
      const item = items.get(key);
      const here = item === undefined ? byAddress.get(foldCase(row.text('delivery_email', ''))) : asId<UserId>(item);
      if (here !== undefined) known.set(id, here);
    }
    return { known, fresh: rows.filter(({ id }) => !known.has(id)) };
  });
}

/** Makes accounts for the others, each with its events; all accounts by their numbers in the archive. */
export async function addPeople(joining: Joining, { known, fresh }: People): Promise<ReadonlyMap<number, UserId>> {
  const all = new Map(known);
  for (const one of fresh) all.set(one.id, await addOne(joining, one));
  joining.report.count('accounts joined', known.size);
  joining.report.count('accounts made', fresh.length);
  return all;
}

/** Nobody gets rights by an archive; programs and who had left get an account that is not in use. */
async function addOne({ context, realm }: Joining, { row, key }: Keyed): Promise<UserId> {
  const given = row.text('delivery_email', '');
  const email = /^[^\s@]{1,64}@[^\s@]{1,255}$/.test(given) ? given : `imported-${foldCase(key)}@hidden.invalid`;
  const role = row.int('role', Role.member) === Role.guest ? Role.guest : Role.member;
  return context.store.in(realm).write(async (tx) => {
    await lockLog(tx);
    const full_name = allowedName(row.text('full_name'));
    const { id } = await addPerson(tx, { email, full_name, role });
    if (row.bool('is_bot', false) || !row.bool('is_active', true)) await deactivateAccount(tx, id);
    await insertItems(tx, 'person', [[key, id]]);
    return id;
  });
}
