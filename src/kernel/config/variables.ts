/** One environment variable: how it is read, its default, and one sentence for the documentation. */
export interface Variable {
  readonly name: string;
  readonly kind: 'port' | 'count' | 'text' | 'url' | 'choice' | 'networks' | 'proxies' | 'mailbox' | 'mailboxes';
  /** Text of the default; absent when unset means "not used". */
  readonly default?: string;
  /** What the default is called in the documentation when it is not a fixed text. */
  readonly defaultText?: string;
  readonly choices?: readonly string[];
  readonly protocols?: readonly string[];
  /** Whether an address is a server's own: no path, no query, no name and password. */
  readonly isOrigin?: true;
  /** Smallest count. */
  readonly least?: number;
  readonly meaning: string;
  readonly secret?: true;
}

/** Every variable Roost reads. The documentation and `roost doctor` print this table. */
export const VARIABLES = [
  { name: 'ROOST_PORT', kind: 'port', default: '9991', meaning: 'Port to listen on; 0 takes any free one.' },
  { name: 'ROOST_HOST', kind: 'text', default: '127.0.0.1', meaning: 'Address to listen on.' },
  {
    name: 'ROOST_DATA_DIR',
    kind: 'text',
    default: './data',
    meaning: 'Folder of the embedded database, uploads, mails and the server secret.',
  },
  {
    name: 'ROOST_EXTERNAL_URL',
    kind: 'url',
    defaultText: 'http://localhost:<port>',
    protocols: ['http:', 'https:'],
    isOrigin: true,
    meaning: 'Address under which people reach the server; links and cookies are built on it.',
  },
  {
    name: 'ROOST_DATABASE_URL',
    kind: 'url',
    protocols: ['postgres:', 'postgresql:'],
    defaultText: 'SQLite in the data folder',
    meaning: 'PostgreSQL database to use.',
    secret: true,
  },
  {
    name: 'ROOST_REDIS_URL',
    kind: 'url',
    protocols: ['redis:', 'rediss:'],
    defaultText: 'in process',
    meaning: 'Redis, when several processes serve one database.',
    secret: true,
  },
  {
    name: 'ROOST_UPLOADS_URL',
    kind: 'url',
    protocols: ['s3:'],
    defaultText: 'files in the data folder',
    meaning: 'S3-compatible store for uploads: s3://bucket?endpoint=…',
    secret: true,
  },
  {
    name: 'ROOST_MAX_UPLOAD_MIB',
    kind: 'count',
    default: '100',
    meaning: 'Largest file that may be uploaded, in MiB; 0 refuses all uploads.',
  },
  {
    name: 'ROOST_BACKUP_DIR',
    kind: 'text',
    defaultText: 'none are made',
    meaning: 'Folder in which the server puts backups by itself; on another disk than the data folder.',
  },
  {
    name: 'ROOST_BACKUP_HOURS',
    kind: 'count',
    default: '24',
    least: 1,
    meaning: 'Hours from one backup to the next.',
  },
  {
    name: 'ROOST_BACKUP_KEEP',
    kind: 'count',
    default: '7',
    least: 1,
    meaning: 'Backups that are kept; older ones are removed.',
  },
  {
    name: 'ROOST_MAX_CONNECTIONS',
    kind: 'count',
    default: '10000',
    meaning: 'Connections that one process holds open; waiting polls of people who are logged in do not count.',
  },
  {
    name: 'ROOST_MAX_CONNECTIONS_PER_ADDRESS',
    kind: 'count',
    default: '1000',
    meaning: 'The same for each address (of IPv6 each /64); of what a trusted proxy brings, requests under way.',
  },
  {
    name: 'ROOST_MAX_INVITATIONS_PER_DAY',
    kind: 'count',
    default: '0',
    meaning:
      'Invitations that an organization may mail in a day (UTC), and all that are younger than a week together; 0 for any number.',
  },
  {
    name: 'ROOST_SMTP_URL',
    kind: 'url',
    protocols: ['smtp:', 'smtps:'],
    defaultText: 'mails are written to the data folder and shown in the log',
    meaning: 'Mail server that sends invitations and notifications.',
    secret: true,
  },
  {
    name: 'ROOST_MAIL_FROM',
    kind: 'mailbox',
    defaultText: 'Roost <noreply@host of the public address>',
    meaning:
      'Who mails are from: an address, or a name and an address in angle brackets. The mail server must allow the address.',
  },
  {
    name: 'ROOST_MAIL_REPLY_TO',
    kind: 'mailbox',
    defaultText: 'the sender',
    meaning: 'Where answers to mails go.',
  },
  {
    name: 'ROOST_SUPPORT_ADDRESS',
    kind: 'mailbox',
    defaultText: 'none',
    meaning: 'Address for questions, which stands at the foot of mails.',
  },
  {
    name: 'ROOST_MAIL_IN_URL',
    kind: 'url',
    protocols: ['smtp:', 'lmtp:'],
    defaultText: 'no mail is taken',
    meaning:
      'Where the mail server of the operator hands mails over: smtp://127.0.0.1:2525 or lmtp://127.0.0.1:2424; see the guide on mail.',
  },
  {
    name: 'ROOST_MAIL_IN_ADDRESS',
    kind: 'mailboxes',
    defaultText: 'no mail is taken',
    meaning: 'Addresses under which mails come in, an asterisk in place of what differs: *@in.example.org.',
  },
  {
    name: 'ROOST_MAIL_IN_NETWORKS',
    kind: 'proxies',
    default: 'loopback',
    meaning: 'Comma-separated addresses or networks of mail servers that may hand mails over.',
  },
  {
    name: 'ROOST_MODE',
    kind: 'choice',
    choices: ['production', 'development'],
    default: 'production',
    meaning: 'Development enables the development-only operations.',
  },
  {
    name: 'ROOST_PUSH_GATEWAY_URL',
    kind: 'url',
    protocols: ['http:', 'https:'],
    defaultText: 'push is not configured',
    meaning: 'The push notification service, with the credentials of this server: https://name:secret@host.',
    secret: true,
  },
  {
    name: 'ROOST_PUSH_SENDERS_FILE',
    kind: 'text',
    defaultText: 'none: this is no push gateway',
    meaning: 'JSON file with the keys for APNs and FCM, for `roost push-gateway`; see the guide on the push gateway.',
  },
  {
    name: 'ROOST_ZOOM_URL',
    kind: 'url',
    protocols: ['http:', 'https:'],
    defaultText: 'no calls by Zoom',
    meaning:
      'Zoom: https://client-id:client-secret@zoom.us, where everybody connects an account of their own; with a path, which is the account of a server-to-server app, calls are made for the people of that account.',
    secret: true,
  },
  {
    name: 'ROOST_BIGBLUEBUTTON_URL',
    kind: 'url',
    protocols: ['http:', 'https:'],
    defaultText: 'no calls by BigBlueButton',
    meaning: 'BigBlueButton, with its shared secret as password: https://:secret@host/bigbluebutton.',
    secret: true,
  },
  {
    name: 'ROOST_CONSTRUCTOR_GROUPS_URL',
    kind: 'url',
    protocols: ['http:', 'https:'],
    defaultText: 'no calls by Constructor Groups',
    meaning: 'Constructor Groups, with an API key: https://access-key:secret-key@host/api/groups/xapi.',
    secret: true,
  },
  {
    name: 'ROOST_NEXTCLOUD_TALK_URL',
    kind: 'url',
    protocols: ['http:', 'https:'],
    defaultText: 'no calls by Nextcloud Talk',
    meaning: 'Nextcloud, with an account and its app password: https://name:password@host.',
    secret: true,
  },
  {
    name: 'ROOST_RATE_LIMITS',
    kind: 'choice',
    choices: ['on', 'off'],
    defaultText: 'on; off in development mode',
    meaning: 'Whether requests are limited per user and per address.',
  },
  {
    name: 'ROOST_LOG_LEVEL',
    kind: 'choice',
    choices: ['error', 'warn', 'info', 'debug'],
    default: 'info',
    meaning: 'Least severe level that is logged.',
  },
  {
    name: 'ROOST_TRUSTED_PROXIES',
    kind: 'proxies',
    defaultText: 'none',
    meaning: 'Comma-separated addresses or networks of proxies whose X-Forwarded-For header is believed.',
  },
  {
    name: 'ROOST_OUTBOUND_NETWORKS',
    kind: 'networks',
    defaultText: 'none: the public Internet only',
    meaning: 'Comma-separated private networks (10.1.0.0/16) that bots may call although they are not public.',
  },
  {
    name: 'ROOST_SIGN_IN_FILE',
    kind: 'text',
    defaultText: 'none: password only',
    meaning: 'JSON file with identity providers and what else may vouch for people; see the guide on sign-in.',
  },
  {
    name: 'ROOST_SECRET',
    kind: 'text',
    defaultText: 'a file in the data folder, made at the first start',
    meaning: 'Server secret, when several machines serve one database; 32 characters or more.',
    secret: true,
  },
] as const satisfies readonly Variable[];
