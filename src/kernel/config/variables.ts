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
    meaning: 'Address at which people reach the server; used in links and cookies.',
  },
  {
    name: 'ROOST_DATABASE_URL',
    kind: 'url',
    protocols: ['postgres:', 'postgresql:'],
    defaultText: 'SQLite in the data folder',
    meaning: 'PostgreSQL database: postgres://name:password@host/database.',
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
    defaultText: 'no automatic backups',
    meaning: 'Folder for automatic backups; on another disk than the data folder.',
  },
  {
    name: 'ROOST_BACKUP_HOURS',
    kind: 'count',
    default: '24',
    least: 1,
    meaning: 'Hours between automatic backups.',
  },
  {
    name: 'ROOST_BACKUP_KEEP',
    kind: 'count',
    default: '7',
    least: 1,
    meaning: 'Number of automatic backups to keep; older ones are removed.',
  },
  {
    name: 'ROOST_MAX_CONNECTIONS',
    kind: 'count',
    default: '10000',
    meaning: 'Open connections of one process; waiting polls of people who are logged in do not count.',
  },
  {
    name: 'ROOST_MAX_CONNECTIONS_PER_ADDRESS',
    kind: 'count',
    default: '1000',
    meaning:
      'The same for each address (IPv6: each /64). Behind a trusted proxy, requests in progress are counted instead.',
  },
  {
    name: 'ROOST_MAX_INVITATIONS_PER_DAY',
    kind: 'count',
    default: '0',
    meaning:
      'Invitations that an organization may mail in a day (UTC); organizations younger than a week share one such limit; 0 for no limit.',
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
      'Sender of mails: an address, or a name and an address in angle brackets. The mail server must allow the address.',
  },
  {
    name: 'ROOST_MAIL_REPLY_TO',
    kind: 'mailbox',
    defaultText: 'the sender',
    meaning: 'Address for replies to mails.',
  },
  {
    name: 'ROOST_SUPPORT_ADDRESS',
    kind: 'mailbox',
    defaultText: 'none',
    meaning: 'Support address, shown at the end of mails.',
  },
  {
    name: 'ROOST_MAIL_IN_URL',
    kind: 'url',
    protocols: ['smtp:', 'lmtp:'],
    defaultText: 'incoming mail is off',
    meaning:
      'Where Roost listens for mail from your mail server: smtp://127.0.0.1:2525 or lmtp://127.0.0.1:2424; see the guide on mail.',
  },
  {
    name: 'ROOST_MAIL_IN_ADDRESS',
    kind: 'mailboxes',
    defaultText: 'incoming mail is off',
    meaning: 'Addresses for incoming mail; the asterisk stands for the part that varies: *@in.example.org.',
  },
  {
    name: 'ROOST_MAIL_IN_NETWORKS',
    kind: 'proxies',
    default: 'loopback',
    meaning: 'Comma-separated addresses or networks of mail servers that may deliver mail.',
  },
  {
    name: 'ROOST_MODE',
    kind: 'choice',
    choices: ['production', 'development'],
    default: 'production',
    meaning: 'In development mode, development-only operations are available.',
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
    defaultText: 'this is no push gateway',
    meaning: 'JSON file with the keys for APNs and FCM, for `roost push-gateway`; see the guide on the push gateway.',
  },
  {
    name: 'ROOST_ZOOM_URL',
    kind: 'url',
    protocols: ['http:', 'https:'],
    defaultText: 'no Zoom calls',
    meaning:
      'Zoom: https://client-id:client-secret@zoom.us. Everybody connects their own account; with the account of a server-to-server app as path, calls are made for the people of that account.',
    secret: true,
  },
  {
    name: 'ROOST_BIGBLUEBUTTON_URL',
    kind: 'url',
    protocols: ['http:', 'https:'],
    defaultText: 'no BigBlueButton calls',
    meaning: 'BigBlueButton, with its shared secret as the password: https://:secret@host/bigbluebutton.',
    secret: true,
  },
  {
    name: 'ROOST_CONSTRUCTOR_GROUPS_URL',
    kind: 'url',
    protocols: ['http:', 'https:'],
    defaultText: 'no Constructor Groups calls',
    meaning: 'Constructor Groups, with an API key: https://access-key:secret-key@host/api/groups/xapi.',
    secret: true,
  },
  {
    name: 'ROOST_NEXTCLOUD_TALK_URL',
    kind: 'url',
    protocols: ['http:', 'https:'],
    defaultText: 'no Nextcloud Talk calls',
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
    meaning: 'Lowest level that is logged.',
  },
  {
    name: 'ROOST_TRUSTED_PROXIES',
    kind: 'proxies',
    defaultText: 'none',
    meaning: 'Comma-separated addresses or networks of proxies whose X-Forwarded-For header is trusted.',
  },
  {
    name: 'ROOST_OUTBOUND_NETWORKS',
    kind: 'networks',
    defaultText: 'the public Internet only',
    meaning: 'Comma-separated private networks (10.1.0.0/16) that bots may call.',
  },
  {
    name: 'ROOST_SIGN_IN_FILE',
    kind: 'text',
    defaultText: 'password only',
    meaning: 'JSON file with identity providers and other ways to sign in; see the guide on sign-in.',
  },
  {
    name: 'ROOST_SECRET',
    kind: 'text',
    defaultText: 'a file in the data folder, created at the first start',
    meaning: 'Server secret, when several machines serve one database; 32 characters or more.',
    secret: true,
  },
] as const satisfies readonly Variable[];
