import type { Entry } from '../entry.ts';
import { firstText, type Person, textsIn } from '../neutral/index.ts';
import { allowedName } from '../people.ts';
import type { ArchiveFiles } from '../source.ts';
import type { Bucket } from './bucket.ts';
import { recordsOf } from './records.ts';

/** Somebody, with the name that texts call them by. */
interface Account {
  readonly person: Person;
  readonly username: string;
  /** IDs of rooms, where the record names them. */
  readonly rooms: readonly string[];
}

export async function accountsIn(files: ArchiveFiles, folder: string, avatars: Bucket): Promise<readonly Account[]> {
  const pictures = new Map<string, string>();
  for await (const { entry } of recordsOf(files, folder, 'rocketchat_avatars')) {
    const [user, path] = [entry.textOrNull('userId'), avatars.pathOf(entry.text('_id'))];
    if (user !== null && path !== undefined) pictures.set(user, path);
  }
  const accounts: Account[] = [];
  for await (const { entry } of recordsOf(files, folder, 'users')) {
    const person = { ...toPerson(entry), picture: pictures.get(entry.text('_id')) };
    accounts.push({ person, username: entry.text('username', person.key), rooms: textsIn(entry, '__rooms') });
  }
  return accounts;
}

function toPerson(entry: Entry): Person {
  const roles = textsIn(entry, 'roles');
  const [email] = entry.parts('emails').map((one) => one.text('address', ''));
  return {
    key: entry.text('_id'),
    name: allowedName(firstText(entry.textOrNull('name'), entry.textOrNull('username'), 'User')),
    email: email ?? '',
    // Guests of live chat are people of another kind.
    isActive: entry.bool('active', true) && entry.text('type', 'user') !== 'unknown',
    isBot: roles.includes('bot') || ['bot', 'app'].includes(entry.text('type', 'user')),
    role: roles.includes('admin') ? 200 : roles.includes('guest') ? 600 : 400,
    timezone: '',
  };
}
