import { assertListRoom } from '#features/realms';
import type { RealmRef } from '#kernel/auth';
import { lockLog } from '#kernel/events';
import type { Context } from '#kernel/context';
import { checkPlayground, mayNameLanguage } from '#kernel/markdown';
import type { RealmWriteTx } from '#kernel/store';
import { invalidFields, LanguageCharacters, PlaygroundMissing } from './errors.ts';
import { playgroundsChanged } from './events.ts';
import { deletePlayground, insertPlayground, listPlaygrounds } from './queries.ts';
import type { PlaygroundId, PlaygroundRow } from './tables.ts';
import { toWirePlayground } from './wire.ts';

/** Adds a playground. See protocol/linkifiers#playgrounds. */
export function addPlayground(
  context: Context,
  realm: RealmRef,
  input: Pick<PlaygroundRow, 'name' | 'pygments_language' | 'url_template'>,
): Promise<PlaygroundId> {
  if (!mayNameLanguage(input.pygments_language)) throw LanguageCharacters();
  return context.store.in(realm).write(async (tx) => {
    await lockLog(tx);
    const { name, pygments_language } = input;
    const isTaken = (row: PlaygroundRow) => row.name === name && row.pygments_language === pygments_language;
    const known = await listPlaygrounds(tx);
    const errors = checkPlayground(input, known.some(isTaken));
    if (errors) throw invalidFields(errors);
    assertListRoom('playgrounds', [...known, input], known);
    const { id } = await insertPlayground(tx, { ...input, realm_id: realm.id });
    await announce(tx);
    return id;
  });
}

/** Removes a playground. See protocol/linkifiers#playgrounds. */
export function removePlayground(context: Context, realm: RealmRef, id: PlaygroundId): Promise<void> {
  return context.store.in(realm).write(async (tx) => {
    await lockLog(tx);
    if (!(await deletePlayground(tx, id))) throw PlaygroundMissing();
    await announce(tx);
  });
}

async function announce(tx: RealmWriteTx): Promise<void> {
  const rows = await listPlaygrounds(tx);
  tx.emit(playgroundsChanged({ realm_playgrounds: rows.map(toWirePlayground) }));
}
