import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const PEOPLE = 1000;
const CHANNELS = 100;
const FILE = 1000;
const BEGAN = 1_700_000_000;

/** Numbers of rows in an archive. */
export interface Amount {
  readonly messages: number;
  readonly reactions: number;
  readonly files: number;
}

/** Writes an archive in the established server's format; returns its folder. */
export function writeArchive({ messages, reactions, files }: Amount): string {
  const folder = mkdtempSync(join(tmpdir(), 'roost-archive-'));
  const write = (path: string, value: unknown) => writeFileSync(join(folder, path), JSON.stringify(value));
  write('realm.json', realmOf(messages, reactions));
  const spread = Math.max(1, Math.floor(messages / Math.max(1, files)));
  const paths = Array.from({ length: files }, (_one, index) => `1/${index % 256}/bench-file-${index}/notes.txt`);
  write('attachment.json', {
    zerver_attachment: paths.map((path_id, index) => ({
      id: index + 1,
      path_id,
      owner: 1 + (index % PEOPLE),
      file_name: 'notes.txt',
      content_type: 'text/plain',
      create_time: BEGAN,
      messages: [1 + index * spread],
    })),
  });
  for (const path of paths) {
    const file = join(folder, 'uploads', path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `notes of ${path}\n`.repeat(100));
  }
  for (let first = 1; first <= messages; first += FILE)
    write(`messages-${String(Math.ceil(first / FILE)).padStart(6, '0')}.json`, {
      zerver_message: Array.from({ length: Math.min(FILE, messages - first + 1) }, (_one, index) =>
        messageOf(first + index, paths[(first + index - 1) / spread]),
      ),
      zerver_usermessage: [],
    });
  return folder;
}

function realmOf(messages: number, reactions: number): object {
  const numbers = (count: number) => Array.from({ length: count }, (_one, index) => index + 1);
  return {
    zerver_realm: [{ id: 1, name: 'Bench' }],
    zerver_userprofile: numbers(PEOPLE).map((id) => ({
      id,
      delivery_email: `user${id}@bench.test`,
      full_name: `User Number ${id}`,
      role: 400,
    })),
    zerver_stream: numbers(CHANNELS).map((id) => ({ id, name: `channel ${id}` })),
    zerver_recipient: numbers(CHANNELS).map((id) => ({ id, type: 2, type_id: id })),
    zerver_subscription: numbers(PEOPLE * 10).map((id) => ({
      id,
      user_profile: 1 + (id % PEOPLE),
      recipient: 1 + ((id * 7 + Math.floor(id / PEOPLE)) % CHANNELS),
      active: true,
    })),
    zerver_reaction: numbers(reactions).map((id) => ({
      id,
      message: 1 + ((id * 9) % messages),
      user_profile: 1 + (id % PEOPLE),
      emoji_name: 'tada',
      emoji_code: '1f389',
      reaction_type: 'unicode_emoji',
    })),
  };
}

function messageOf(id: number, file: string | undefined): object {
  const link = file === undefined ? '' : `\n[notes.txt](/user_uploads/${file})`;
  return {
    id,
    sender: 1 + (id % PEOPLE),
    recipient: 1 + ((id * 31) % CHANNELS),
    subject: `topic ${id % 200}`,
    content: `w${id % 4999} w${(id * 17) % 3001} **bold w${(id * 13) % 997}** with a [link](https://example.org/${id}) and \`code\`${link}`,
    date_sent: BEGAN + id,
  };
}
