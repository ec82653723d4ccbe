import { VARIABLES, type Variable } from './variables.ts';

/** The configuration, checked and with defaults filled in. */
export interface Config {
  readonly port: number;
  readonly host: string;
  readonly dataDir: string;
  /** Without a trailing slash; undefined when it follows the port that was taken. */
  readonly externalUrl: string | undefined;
  readonly databaseUrl: string | undefined;
  readonly redisUrl: string | undefined;
  readonly uploadsUrl: string | undefined;
  /** Largest upload, in MiB; 0 for none. */
  readonly maxUploadMib: number;
  /** Where the server puts backups by itself, hours between them, and how many are kept. */
  readonly backupDir: string | undefined;
  readonly backupHours: number;
  readonly backupKeep: number;
  /** Connections that one process holds open, in all and for each address; waiting polls of accounts do not count. */
  readonly maxConnections: number;
  readonly maxConnectionsPerAddress: number;
  /** Invitations by mail that an organization may send in a day; 0 for any number. */
  readonly maxInvitationsPerDay: number;
  readonly smtpUrl: string | undefined;
  /** Who mails are from, as `Name <address>` or an address; and where answers and questions go. */
  readonly mailFrom: string | undefined;
  readonly mailReplyTo: string | undefined;
  readonly supportAddress: string | undefined;
  /** Where mails are handed over, their addresses (`*@in.example.org`), and which senders may hand them over. */
  readonly mailInUrl: string | undefined;
  readonly mailInAddress: string | undefined;
  readonly mailInNetworks: readonly string[];
  readonly mode: 'production' | 'development';
  readonly pushGatewayUrl: string | undefined;
  /** File with the keys by which a push gateway reaches phones. */
  readonly pushSendersFile: string | undefined;
  readonly zoomUrl: string | undefined;
  readonly bigBlueButtonUrl: string | undefined;
  readonly constructorGroupsUrl: string | undefined;
  readonly nextcloudTalkUrl: string | undefined;
  readonly rateLimits: boolean;
  readonly logLevel: 'error' | 'warn' | 'info' | 'debug';
  readonly trustedProxies: readonly string[];
  /** Private networks that addresses of people may lead to. */
  readonly outboundNetworks: readonly string[];
  /** File with the ways to sign in besides the password. */
  readonly signInFile: string | undefined;
  readonly secret: string | undefined;
}

/** All mistakes of a configuration at once. */
export class ConfigError extends Error {
  readonly mistakes: readonly string[];

  constructor(mistakes: readonly string[]) {
    super(`The configuration has mistakes:\n${mistakes.map((mistake) => `  - ${mistake}`).join('\n')}`);
    this.mistakes = mistakes;
  }
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Checks a value beyond its syntax, for the part of the server that uses it: what is wrong with it, or undefined. */
export type Checks = Readonly<Record<string, (value: string) => string | undefined>>;

/** Reads the `ROOST_*` variables; throws {@link ConfigError} naming every mistake, never a secret's value. */
export function readConfig(
  environment: Environment,
  defaults: Partial<Record<string, string>> = {},
  checks: Checks = {},
): Config {
  const mistakes = VARIABLES.flatMap((variable) => {
    const value = environment[variable.name];
    const found = faults(variable, value);
    const deeper = value && found.length === 0 ? checks[variable.name]?.(value) : undefined;
    return deeper === undefined ? found : [`${variable.name}: ${deeper}`];
  });
  const known = new Set<string>(VARIABLES.map((variable) => variable.name));
  for (const name of Object.keys(environment)) {
    if (name.startsWith('ROOST_') && !name.startsWith('ROOST_TEST_') && !known.has(name))
      mistakes.push(`${name} is not a variable of Roost${nearest(name)}`);
  }
  if ((environment['ROOST_SECRET'] ?? 'x'.repeat(32)).length < 32)
    mistakes.push('ROOST_SECRET is shorter than 32 characters');
  mistakes.push(...lonely(environment));
  if (mistakes.length > 0) throw new ConfigError(mistakes);
  return build((name) => environment[name] || defaults[name] || defaultOf(name));
}

/** Incoming mail needs both a place to listen and addresses. */
function lonely({ ROOST_MAIL_IN_URL: url, ROOST_MAIL_IN_ADDRESS: address }: Environment): readonly string[] {
  if (Boolean(url) === Boolean(address)) return [];
  const [given, missing] = url ? ['URL', 'ADDRESS'] : ['ADDRESS', 'URL'];
  return [`ROOST_MAIL_IN_${given} needs ROOST_MAIL_IN_${missing} beside it`];
}

/** The variable that was probably meant, where a known one is spelt almost the same. */
function nearest(name: string): string {
  const meant = VARIABLES.find((variable) => isNear(variable.name, name));
  return meant ? `; ${meant.name} is` : '';
}

/** Whether two names have the same letters, or all but one. */
function isNear(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 1) return false;
  const left = [...b];
  for (const letter of a) {
    const at = left.indexOf(letter);
    if (at >= 0) left.splice(at, 1);
  }
  return left.length <= 1;
}

function build(value: (name: string) => string | undefined): Config {
  const mode = value('ROOST_MODE') === 'development' ? 'development' : 'production';
  return {
    port: Number(value('ROOST_PORT')),
    host: value('ROOST_HOST') ?? '127.0.0.1',
    dataDir: value('ROOST_DATA_DIR') ?? './data',
    externalUrl: value('ROOST_EXTERNAL_URL')?.replace(/\/+$/, ''),
    databaseUrl: value('ROOST_DATABASE_URL'),
    redisUrl: value('ROOST_REDIS_URL'),
    uploadsUrl: value('ROOST_UPLOADS_URL'),
    maxUploadMib: Number(value('ROOST_MAX_UPLOAD_MIB')),
    backupDir: value('ROOST_BACKUP_DIR'),
    backupHours: Number(value('ROOST_BACKUP_HOURS')),
    backupKeep: Number(value('ROOST_BACKUP_KEEP')),
    maxConnections: Number(value('ROOST_MAX_CONNECTIONS')),
    maxConnectionsPerAddress: Number(value('ROOST_MAX_CONNECTIONS_PER_ADDRESS')),
    maxInvitationsPerDay: Number(value('ROOST_MAX_INVITATIONS_PER_DAY')),
    smtpUrl: value('ROOST_SMTP_URL'),
    mailFrom: value('ROOST_MAIL_FROM'),
    mailReplyTo: value('ROOST_MAIL_REPLY_TO'),
    supportAddress: value('ROOST_SUPPORT_ADDRESS'),
    mailInUrl: value('ROOST_MAIL_IN_URL'),
    mailInAddress: value('ROOST_MAIL_IN_ADDRESS'),
    mailInNetworks: parts(value('ROOST_MAIL_IN_NETWORKS')),
    mode,
    pushGatewayUrl: value('ROOST_PUSH_GATEWAY_URL'),
    pushSendersFile: value('ROOST_PUSH_SENDERS_FILE'),
    zoomUrl: value('ROOST_ZOOM_URL'),
    bigBlueButtonUrl: value('ROOST_BIGBLUEBUTTON_URL'),
    constructorGroupsUrl: value('ROOST_CONSTRUCTOR_GROUPS_URL'),
    nextcloudTalkUrl: value('ROOST_NEXTCLOUD_TALK_URL'),
    rateLimits: (value('ROOST_RATE_LIMITS') ?? (mode === 'development' ? 'off' : 'on')) === 'on',
    logLevel: logLevel(value('ROOST_LOG_LEVEL')),
    trustedProxies: parts(value('ROOST_TRUSTED_PROXIES')),
    outboundNetworks: parts(value('ROOST_OUTBOUND_NETWORKS')),
    signInFile: value('ROOST_SIGN_IN_FILE'),
    secret: value('ROOST_SECRET'),
  };
}

function parts(list: string | undefined): readonly string[] {
  return (list ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean);
}

/** Names of networks that mean a proxy on the same machine, or in the same building. */
const NETWORK_NAMES: ReadonlySet<string> = new Set(['loopback', 'linklocal', 'uniquelocal']);

/** Whether a text is an IP address, with the length of a network's prefix or without. */
function isNetwork(text: string): boolean {
  const [address = '', prefix, ...rest] = text.split('/');
  const isIPv6 = address.includes(':') && URL.canParse(`http://[${address}]/`);
  const isIPv4 = /^\d{1,3}(\.\d{1,3}){3}$/.test(address) && address.split('.').every((byte) => Number(byte) <= 255);
  const length = prefix === undefined ? 0 : /^\d{1,3}$/.test(prefix) ? Number(prefix) : Number.NaN;
  return rest.length === 0 && ((isIPv4 && length <= 32) || (isIPv6 && length <= 128));
}

/** Whether an address names a server and nothing on it. */
function isOrigin(text: string): boolean {
  const { pathname, search, hash, username, password } = new URL(text);
  return /^\/*$/.test(pathname) && [search, hash, username, password].every((part) => part === '');
}

/** `Name <local@host>`, or the address alone; what the mail room sends to besides is its own matter. */
const MAILBOX =
  /^(?:[^<>"\r\n]*<[^\s<>()[\]:;,\\"@]+@[^\s<>()[\]:;,\\"@]+>|[^\s<>()[\]:;,\\"@]+@[^\s<>()[\]:;,\\"@]+)$/;

/**
 * One asterisk and at most 16 other characters before the @: the limit there is 64 characters (RFC 5321 §4.5.3.1.1).
 */
const MAILBOXES = /^(?=[^@]{1,17}@)[a-z0-9._+=-]*\*[a-z0-9._+=-]*@[a-z0-9-]+(\.[a-z0-9-]+)*$/i;

function logLevel(text: string | undefined): Config['logLevel'] {
  return text === 'error' || text === 'warn' || text === 'debug' ? text : 'info';
}

function defaultOf(name: string): string | undefined {
  const variable: Variable | undefined = VARIABLES.find((candidate) => candidate.name === name);
  return variable?.default;
}

function faults(variable: Variable, value: string | undefined): string[] {
  if (value === undefined || value === '') return [];
  const shown = variable.secret ? 'its value' : `"${value}"`;
  if (variable.kind === 'port' && !(/^\d+$/.test(value) && Number(value) <= 65_535)) {
    return [`${variable.name}: ${shown} is not a port (0 to 65535)`];
  }
  if (variable.kind === 'count' && !/^\d{1,7}$/.test(value)) {
    return [`${variable.name}: ${shown} is not a number (0 to 9999999)`];
  }
  if (variable.kind === 'count' && Number(value) < (variable.least ?? 0))
    return [`${variable.name}: ${shown} is less than ${variable.least}`];
  if (variable.kind === 'networks' && !parts(value).every(isNetwork)) {
    return [`${variable.name}: ${shown} is not a list of networks like 10.1.0.0/16`];
  }
  const isProxy = (part: string) => NETWORK_NAMES.has(part) || isNetwork(part);
  if (variable.kind === 'proxies' && !parts(value).every(isProxy)) {
    return [
      `${variable.name}: ${shown} is not a list of addresses or networks like 10.0.0.2, 10.1.0.0/16; names are not looked up`,
    ];
  }
  if (variable.kind === 'mailbox' && !MAILBOX.test(value)) {
    return [`${variable.name}: ${shown} is not like chat@example.org or Example Chat <chat@example.org>`];
  }
  if (variable.kind === 'mailboxes' && !MAILBOXES.test(value)) {
    return [`${variable.name}: ${shown} is not like *@in.example.org or chat+*@example.org`];
  }
  if (variable.kind === 'choice' && !variable.choices?.includes(value)) {
    return [`${variable.name}: ${shown} is not one of ${variable.choices?.join(', ')}`];
  }
  if (variable.kind === 'url' && !(URL.canParse(value) && variable.protocols?.includes(new URL(value).protocol))) {
    return [
      `${variable.name}: ${shown} is not an address starting with ${variable.protocols?.map((protocol) => `${protocol}//`).join(' or ')}`,
    ];
  }
  if (variable.kind === 'url' && variable.isOrigin && !isOrigin(value)) {
    return [`${variable.name}: ${shown} has more than a host and a port; ${new URL(value).origin} would do`];
  }
  return [];
}
