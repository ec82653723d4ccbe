import type { Archive } from '#features/exports';
import { type AttachmentRow, findOwnUploads, uploadKey } from '#features/uploads';
import { knownAmong } from '#features/channels';
import type { Context } from '#kernel/context';
import { asId, type ChannelId } from '#kernel/ids';
import { actingAs } from '#kernel/store';
import { filePath, htmlMessages, htmlPage, htmlRows } from './html.ts';
import { type Person, personalMessages } from './messages.ts';
import { ownRows, ownTables, PAGE } from './queries.ts';

/** Numbers of what was handed out, for people. */
export interface Handed {
  readonly messages: number;
  readonly files: number;
  readonly missingFiles: number;
}

/**
 * Writes a person's data as JSON and as pages for people, with their files; never holds more than a page of it in
 * memory. See protocol/organizations#personal-data.
 */
export async function writePersonalData(
  context: Pick<Context, 'store' | 'files'>,
  archive: Archive,
  person: Person,
): Promise<Handed> {
  const title = `Data of ${person.actor.fullName}`;
  await archive.write('account.json', accountJson(context, person));
  await archive.write('account.html', accountHtml(context, person, title));
  let number = 0;
  let messages = 0;
  for await (const page of personalMessages(context, person)) {
    const name = `messages/${String(++number).padStart(6, '0')}`;
    await archive.write(`${name}.json`, pieces(`${JSON.stringify(page, null, 1)}\n`));
    await archive.write(`${name}.html`, pieces(htmlPage(title, htmlMessages(page))));
    messages += page.length;
  }
  const files = await writeFiles(context, archive, person);
  const links = Array.from({ length: number }, (_one, index) => `messages/${String(index + 1).padStart(6, '0')}.html`);
  const list = ['account.html', ...links].map((link) => `<li><a href="${link}">${link}</a>`).join('\n');
  await archive.write('index.html', pieces(htmlPage(title, `<ul>${list}</ul>`)));
  return { messages, ...files };
}

async function* accountJson(context: Pick<Context, 'store'>, person: Person): AsyncGenerator<Buffer> {
  let text = '{';
  for await (const { name, rows, isFirst, isLast } of sections(context, person)) {
    if (isFirst) text += `${text === '{' ? '' : ','}\n${JSON.stringify(name)}: [`;
    text += rows.map((row, index) => `${isFirst && index === 0 ? '' : ','}\n${JSON.stringify(row)}`).join('');
    if (isLast) text += ']';
    yield Buffer.from(text);
    text = ' ';
  }
  yield Buffer.from('\n}\n');
}

async function* accountHtml(context: Pick<Context, 'store'>, person: Person, title: string): AsyncGenerator<Buffer> {
  yield Buffer.from(htmlPage(title, '').replace('</html>\n', ''));
  for await (const { name, rows, isFirst } of sections(context, person)) {
    if (rows.length === 0) continue;
    const heading = isFirst ? `<h2>${name.replaceAll('_', ' ')}</h2>\n` : '';
    yield Buffer.from(heading + htmlRows(rows));
  }
  yield Buffer.from('</html>\n');
}

/** A page of rows of one table. */
interface Section {
  readonly name: string;
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  readonly isFirst: boolean;
  readonly isLast: boolean;
}

async function* sections({ store }: Pick<Context, 'store'>, person: Person): AsyncGenerator<Section> {
  const { realm, actor } = person;
  for (const own of ownTables()) {
    const name = own.column === 'bot_owner_id' ? 'bots' : own.table;
    for (let after = 0, isFirst = true, isLast = false; !isLast; isFirst = false) {
      const found = await store.in(realm).query((tx) => ownRows(tx, actor.userId, own, after));
      isLast = own.order === undefined || found.length < PAGE;
      const rows = isLast ? found : complete(found, own.order);
      after = Number(rows.at(-1)?.[own.order ?? ''] ?? after);
      const open = own.channel === undefined ? rows : await ofKnownChannels(store, person, rows, own.channel);
      const shown = open.map((row) => Object.fromEntries(Object.entries(row).filter(([key]) => !own.without.has(key))));
      yield { name, rows: shown, isFirst, isLast };
    }
  }
}

/**
 * The rows of a page without those of its last message, of which there may be more: somebody has several flags on one.
 * The next page begins with them.
 */
function complete(rows: Section['rows'], order = ''): Section['rows'] {
  const last = rows.at(-1)?.[order];
  const before = rows.filter((row) => row[order] !== last);
  return order === 'message_id' && before.length > 0 ? before : rows;
}

/** Leaves out rows of channels that the person may not know of any more, which others may have renamed since. */
async function ofKnownChannels(
  store: Context['store'],
  { realm, actor, isWhole = false }: Person,
  rows: Section['rows'],
  column: string,
): Promise<Section['rows']> {
  if (isWhole) return rows;
  const idOf = (row: Section['rows'][number]) => asId<ChannelId>(Number(row[column]));
  const known = await store.in(realm).read((tx) => knownAmong(actingAs(tx, actor), rows.map(idOf)));
  return rows.filter((row) => known.has(idOf(row)));
}

async function writeFiles(
  { store, files: from }: Pick<Context, 'store' | 'files'>,
  archive: Archive,
  { realm, actor }: Person,
): Promise<{ readonly files: number; readonly missingFiles: number }> {
  let [files, missingFiles] = [0, 0];
  for (let after: AttachmentRow | undefined; ; ) {
    const page = await store.in(realm).query((tx) => findOwnUploads(tx, actor.userId, after?.id, PAGE));
    for (const { path_id } of page) {
      const opened = await from.open(uploadKey(path_id));
      if (opened)
        await archive.write(filePath(path_id), opened.stream, opened.size).finally(() => opened.stream.destroy());
      if (opened) files++;
      else missingFiles++;
    }
    if (page.length < PAGE) return { files, missingFiles };
    after = page.at(-1);
  }
}

async function* pieces(text: string): AsyncGenerator<Buffer> {
  yield Buffer.from(text);
}
