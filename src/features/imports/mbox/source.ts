import { foldCase } from '#kernel/text';
import { ImportRefused } from '../entry.ts';
import { archiveOf, type Channel, type Community, type Person } from '../neutral/index.ts';
import { allowedName } from '../people.ts';
import { Report } from '../report.ts';
import type { ArchiveFiles, Source } from '../source.ts';
import { attachmentOf, type Mail, mailsIn } from './mails.ts';
import { postOf, Subjects } from './posts.ts';

/** Files of mail: those of lists, and those that archives on the web offer by month. */
const MAIL = /\.(mbox|mbx)$|^\d{4}-[A-Za-z]+\.txt$/i;

/** Mailing lists as files of mails (RFC 4155). See protocol/organizations#import-from-mbox. */
export async function mboxSource(files: ArchiveFiles): Promise<Source> {
  const report = new Report();
  const paths = (await files.list('')).filter((name) => MAIL.test(name));
  if (paths.length === 0) throw new ImportRefused('there is no .mbox file in the archive');
  const found = new Found();
  for (const path of paths) for await (const mail of mailsIn(files, path, report)) found.add(mail);
  if (found.mails === 0) throw new ImportRefused(`there is no mail in ${paths.slice(0, 3).join(', ')}`);
  const community: Community = {
    product: 'mailing list',
    people: found.people(),
    channels: found.channels(),
    conversations: [],
    emoji: [],
    posts: async function* posts() {
      for (const path of paths)
        for await (const mail of mailsIn(files, path, undefined)) yield postOf(mail, found.subjects);
    },
    open: async (path) => attachmentOf(files, path),
  };
  return archiveOf(community, await files.scratch(), report);
}

/** Who wrote to which list, and what conversations are about. */
class Found {
  mails = 0;
  readonly subjects = new Subjects();
  readonly #names = new Map<string, string>();
  readonly #lists = new Map<string, { first: number; readonly people: Set<string> }>();

  add(mail: Mail): void {
    this.mails++;
    this.subjects.note(mail);
    const address = foldCase(mail.from.address);
    if (!this.#names.get(address)) this.#names.set(address, mail.from.name);
    const list = this.#lists.get(mail.list) ?? { first: mail.at, people: new Set<string>() };
    list.first = Math.min(list.first, mail.at);
    list.people.add(address);
    this.#lists.set(mail.list, list);
  }

  /** Who only wrote to a list has not asked for an account: it waits until it is taken into use. */
  people(): readonly Person[] {
    return [...this.#names].map(([address, name]) => ({
      key: address,
      name: allowedName(name === '' ? (address.split('@')[0] ?? '') : name),
      email: address,
      isActive: false,
      isBot: false,
      role: 400,
      timezone: '',
    }));
  }

  channels(): readonly Channel[] {
    return [...this.#lists].map(([name, { first, people }]) => ({
      key: name,
      name,
      description: '',
      isPrivate: false,
      isArchived: false,
      isDefault: true,
      created: Math.floor(first),
      creator: undefined,
      members: [...people],
    }));
  }
}
