// Configures the doors check: the order of the kernel's rooms, and which room may import what from outside.

/** The kernel's rooms in order: each may import only those before it. */
export const kernelRooms = [
  'text',
  'refusals',
  'html',
  'lists',
  'ids',
  'clock',
  'scope',
  'errors',
  'log',
  'metrics',
  'config',
  'schema',
  'gzip',
  'bus',
  'files',
  'web-files',
  'threads',
  'mail',
  'outbound',
  'images',
  'secretbox',
  'identity',
  'directory',
  'markdown',
  'store',
  'audit',
  'jobs',
  'events',
  'permissions',
  'auth',
  'limits',
  'context',
  'state',
  'endpoint',
  'slice',
  'openapi',
  'http',
] as const;

/**
 * Packages and parts of Node that only the named folders under src may import. A package that is not listed may be
 * imported by any one room.
 */
export const reserved: readonly { readonly imports: readonly string[]; readonly rooms: readonly string[] }[] = [
  { imports: ['kysely'], rooms: ['kernel/store'] },
  { imports: ['zod'], rooms: ['kernel/schema'] },
  { imports: ['fastify', '@fastify/.*'], rooms: ['kernel/http'] },
  // The bus listens for notifications on a PostgreSQL connection of its own.
  { imports: ['pg'], rooms: ['kernel/store/dialects', 'kernel/bus'] },
  { imports: ['@photostructure/sqlite', 'node:sqlite'], rooms: ['kernel/store/dialects'] },
  { imports: ['ioredis'], rooms: ['kernel/bus', 'kernel/limits'] },
  {
    imports: ['node:fs', 'node:fs/promises'],
    rooms: [
      'commands',
      'features/pages',
      'kernel/auth',
      'kernel/config',
      'kernel/files',
      'kernel/identity',
      'kernel/images',
      'kernel/mail',
      'kernel/openapi',
      'kernel/store',
      'kernel/web-files',
    ],
  },
  { imports: ['node:http', 'node:https', 'node:http2'], rooms: ['kernel/endpoint', 'kernel/http', 'kernel/outbound'] },
  {
    imports: ['node:net', 'node:tls', 'node:dns', 'node:dns/promises'],
    rooms: ['kernel/http', 'kernel/mail', 'kernel/outbound'],
  },
  {
    imports: ['node:worker_threads'],
    rooms: ['kernel/mail', 'kernel/markdown', 'kernel/secretbox', 'kernel/threads', 'features/single-sign-on'],
  },
  { imports: ['node:timers', 'node:timers/promises'], rooms: ['kernel/clock'] },
  { imports: ['node:process'], rooms: ['kernel/config'] },
  // A backup is made by a separate process, and so are pictures.
  { imports: ['node:child_process'], rooms: ['commands', 'kernel/images'] },
  { imports: ['node:cluster', 'node:vm'], rooms: [] },
];

/**
 * Packages that a small server may never need, imported on first use by `await import`. Loaded at the start they would
 * be a quarter of its memory. The bundle hoists what a module of Roost's imports, however late that module is loaded.
 */
export const late: readonly string[] = [
  '@node-rs/argon2',
  '@node-saml/node-saml',
  '@simplewebauthn/server',
  '@tus/server',
  'bson',
  'file-type',
  'ioredis',
  'highlight.js',
  'jose',
  'katex',
  'ldapts',
  'libsodium-wrappers',
  'nodemailer',
  'openid-client',
  'otpauth',
  'pg',
  'postal-mime',
  'sharp',
  'smtp-server',
  'uqr',
  'xml-crypto',
  'xml-encryption',
  'yazl',
];

/** Packages that several rooms share, each with the reason. */
export const shared: readonly string[] = [
  // Matches users' patterns wherever they are checked or applied.
  're2js',
  // Parses rendered HTML for comparisons, and HTML mails of an archive.
  'htmlparser2',
  // Parses incoming mails, and mails of archives.
  'postal-mime',
  // Parses arguments, in the entry of the process and in the commands.
  'citty',
];

/** The web client's folders in order: each may import only those before it. */
export const webFloors = [
  'words',
  'worker',
  'passkeys',
  'api',
  'rendered',
  'model',
  'messages',
  'addresses',
  'push',
  'sync',
  'client',
  'keyboard',
  'ui',
  'compose',
  'settings',
  'views',
  'app',
] as const;
