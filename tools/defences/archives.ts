import type { Defence } from './defence.ts';

const HOSTILE = 'test/moving/hostile.test.ts';

/** Defences against archives that lie, and against what names in them do elsewhere. */
export const ARCHIVES: readonly Defence[] = [
  {
    keeps: 'an import from being taken for one that was killed by another that begins',
    file: 'src/features/imports/run.ts',
    from: `(options.isDry ? take() : importAlone(context.store, take))`,
    to: `take()`,
    test: HOSTILE,
    named: 'do not come while another import runs',
  },
  {
    keeps: 'the IDs of all organizations from being used up by one archive',
    file: 'src/features/imports/ids.ts',
    from: `const MAX_IMPORTED = 1_500_000_000;`,
    to: `const MAX_IMPORTED = 2_147_483_647;`,
    test: HOSTILE,
    named: 'nothing stays',
  },
  {
    keeps: 'a message of an archive from having reactions without end',
    file: 'src/features/imports/messages/parts.ts',
    from: `if (own.size >= MAX_EMOJI && !own.has(emoji)) return false;`,
    to: ``,
    test: HOSTILE,
    named: 'come with as many reactions',
  },
  {
    keeps: 'the server from standing still while a command writes',
    file: 'src/kernel/store/dialects/sqlite-connection.ts',
    from: `if (isWriting) this.raw.exec('pragma busy_timeout = 0');`,
    to: ``,
    test: 'src/kernel/store/dialects/sqlite-store.test.ts',
    named: 'answers others while it waits',
  },
  {
    keeps: 'names of people from becoming links in mails of the server',
    file: 'src/features/mails/layout.ts',
    from: ` && \`\${part}/\`.startsWith(\`\${url}/\`)`,
    to: ``,
    test: 'src/features/mails/layout.test.ts',
    named: 'makes links of the addresses of the organization only',
  },
  {
    keeps: 'names from turning the order of characters in a subject around',
    file: 'src/kernel/mail/message.ts',
    from: `
    .replaceAll(/[\\u202a-\\u202e\\u2066-\\u2069]/gu, '')`,
    to: ``,
    test: 'src/kernel/mail/smtp.test.ts',
    named: 'mails',
  },
  {
    keeps: 'uploaded pictures of people from strangers who count',
    file: 'src/features/users/avatars.ts',
    from: `row.avatar_file ?? row.id`,
    to: `row.id`,
    test: 'src/features/avatars/avatars.test.ts',
    named: 'at no address that can be guessed',
  },
  {
    keeps: 'an import from numbers without end',
    file: 'src/features/imports/json.ts',
    from: `const MAX_VALUES = 50_000_000;`,
    to: `const MAX_VALUES = 500_000_000;`,
    test: 'test/moving/hostile.test.ts',
    named: 'before they take gigabytes',
  },
  {
    keeps: 'an import from names without end',
    file: 'src/features/imports/json.ts',
    from: `const MAX_NAMES = 100_000;`,
    to: `const MAX_NAMES = 100_000_000;`,
    test: 'test/moving/hostile.test.ts',
    named: 'before they take gigabytes',
  },
  {
    keeps: 'mails of empty lines from taking hundreds of times their size',
    file: 'src/features/imports/mbox/letters.ts',
    from: `const LINES = 4096;`,
    to: `const LINES = 4_096_000_000;`,
    test: 'src/features/imports/mbox/letters.test.ts',
    named: 'takes little more memory than it has bytes',
  },
  {
    keeps: 'an import from removing what others put links into meanwhile',
    file: 'src/commands/archives/own-folder.ts',
    from: ` && (stats.mode & 0o077) === 0`,
    to: ``,
    test: 'src/commands/archives/own-folder.test.ts',
    named: 'those of running processes and of others stay',
  },
  {
    keeps: 'an export from emptying the folder of one that is running',
    file: 'src/commands/export.ts',
    from: `exportAlone(context.store, realm.id, () => exportInto(context, realm, { type, ...args }))`,
    to: `exportInto(context, realm, { type, ...args })`,
    test: 'test/processes/export-kill.test.ts',
    named: 'is refused while another one runs, which comes out whole',
  },
];
