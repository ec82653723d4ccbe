import type { Client, Entry, SearchOptions } from 'ldapts';
import type { Clock } from '#kernel/clock';
import type { LdapDirectory } from '#kernel/identity';
import { DirectoryFault } from './fault.ts';
import { Messages } from './messages.ts';
import { hasNextPage } from './shapes.ts';

/** Loaded when a directory is asked for the first time. */
export const load = () => import('ldapts');

/** Milliseconds that a step may take: connecting, binding, one page of a search. */
const STEP_MS = 8_000;
/** Most bytes that a directory may send in one step. */
const MAX_STEP_BYTES = 1_048_576;
/** Most bytes of a page of people with their pictures. */
const MAX_PAGE_BYTES = 16_777_216;
/** Most messages of one step: entries, and references to other servers. */
const MAX_MESSAGES = 1_000;

/** A connection to an LDAP directory on which every step has a time-out and a size limit. */
export class Connection {
  readonly #client: Client;
  readonly #clock: Pick<Clock, 'after' | 'monotonicMs'>;
  /** When all of its steps must have ended, by the monotonic clock. */
  readonly #until: number;
  readonly #messages = new Messages();
  #bytes = 0;
  #maxBytes = MAX_STEP_BYTES;
  #count = 0;
  /** Whether another page follows the newest response. */
  #hasNextPage = false;
  /** Why what it sends is not read any further. */
  #refused: 'size' | 'noise' | undefined;

  private constructor(client: Client, clock: Pick<Clock, 'after' | 'monotonicMs'>, until: number) {
    this.#client = client;
    this.#clock = clock;
    this.#until = until;
    this.#readBefore();
  }

  /** Opens an encrypted connection (but to this machine), on which every step ends by the monotonic time `until`. */
  static async open(
    directory: LdapDirectory,
    clock: Pick<Clock, 'after' | 'monotonicMs'>,
    until: number,
  ): Promise<Connection> {
    const ldapts = await load();
    const { url, start_tls, authority } = directory;
    const { hostname } = new URL(url.replace(/^ldap/, 'http'));
    const servername = hostname.replace(/^\[|\]$/g, '');
    const tls = {
      // An address is checked against the certificate as well, but is no name to ask for.
      host: servername,
      ...(/^[\d.]+$|:/.test(servername) ? {} : { servername }),
      minVersion: 'TLSv1.2' as const,
      ...(authority !== undefined && { ca: authority }),
    };
    const isSecure = url.startsWith('ldaps:');
    const client = new ldapts.Client({
      url: url.replace(/\/$/, ''),
      timeout: STEP_MS,
      ...(isSecure && { tlsOptions: tls }),
    });
    const connection = new Connection(client, clock, until);
    try {
      if (start_tls) await connection.#step(() => connection.#secure(tls));
    } catch (error) {
      connection.#destroy();
      throw error;
    }
    return connection;
  }

  /**
   * Encrypts the connection. What arrived before, behind the response, is from somebody else: it would be taken for the
   * beginning of the first encrypted response (RFC 4513, section 3.1.1).
   */
  async #secure(tls: Parameters<Client['startTLS']>[0]): Promise<void> {
    await this.#client.startTLS(tls);
    if (this.#messages.hasRest || this.#count > 1) throw new DirectoryFault('invalid', 'text before encryption');
  }

  /** Binds with a name and a password; false when the directory says that they are wrong. A password is never empty. */
  async bind(dn: string, password: string): Promise<boolean> {
    // Without a password a bind succeeds for every name (unauthenticated bind): RFC 4513, section 5.1.2.
    if (password === '') return false;
    const ldapts = await load();
    const wrong = [
      ldapts.InvalidCredentialsError,
      ldapts.NoSuchObjectError,
      ldapts.InvalidDNSyntaxError,
      ldapts.InappropriateAuthError,
      ldapts.UnwillingToPerformError,
      ldapts.ConstraintViolationError,
    ];
    return this.#step(async () => {
      try {
        await this.#client.bind(dn, password);
        return true;
      } catch (error) {
        if (wrong.some((kind) => error instanceof kind)) return false;
        throw error;
      }
    });
  }

  /** Finds at most two entries: two are enough to know that a name is ambiguous. */
  async find(base: string, options: SearchOptions): Promise<readonly Entry[]> {
    const ldapts = await load();
    return this.#step(async () => {
      try {
        return (await this.#client.search(base, { ...options, sizeLimit: 2 })).searchEntries;
      } catch (error) {
        if (error instanceof ldapts.NoSuchObjectError) return [];
        throw error;
      }
    });
  }

  /** All entries, a page at a time; throws where the library stops early, which it does at a page without entries. */
  async *pages(base: string, pageSize: number, options: SearchOptions): AsyncGenerator<readonly Entry[]> {
    const found = this.#client.searchPaginated(base, { ...options, paged: { pageSize } });
    for (;;) {
      const page = await this.#step(() => found.next(), MAX_PAGE_BYTES);
      if (page.done && this.#hasNextPage) throw new DirectoryFault('invalid', 'an empty page');
      if (page.done) return;
      yield page.value.searchEntries;
    }
  }

  /** Ends the connection, whether the unbind is sent or not. */
  close(): void {
    void this.#client.unbind().catch(() => undefined);
  }

  async #step<T>(run: () => Promise<T>, maxBytes = MAX_STEP_BYTES): Promise<T> {
    [this.#bytes, this.#count, this.#maxBytes] = [0, 0, maxBytes];
    try {
      return await this.#inTime(run());
    } catch (error) {
      throw this.#faultOf(error);
    }
  }

  /** The library sets no time-out for STARTTLS, nor for a connection that is never established. */
  #inTime<T>(running: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const left = Math.max(0, Math.min(STEP_MS, this.#until - this.#clock.monotonicMs()));
      const timer = this.#clock.after(left, () => {
        this.#destroy();
        reject(new DirectoryFault('away', 'timeout'));
      });
      running.then(resolve, reject).finally(() => timer.cancel());
    });
  }

  /**
   * Looks at what arrives before the library does. It believes every length and kind, and reads messages that arrive
   * together within one another, so it gets whole messages of known shapes, one at a time.
   */
  #readBefore(): void {
    const parser: unknown = Reflect.get(this.#client, 'messageParser');
    if (!isParser(parser)) throw new Error('the library reads in another way');
    const read = parser.read.bind(parser);
    parser.read = (chunk, asked) => {
      if (this.#refused) return;
      this.#bytes += chunk.length;
      if (this.#bytes > this.#maxBytes) return this.#refuse('size');
      try {
        for (const message of this.#messages.take(chunk)) {
          if (++this.#count > MAX_MESSAGES) return this.#refuse('size');
          this.#hasNextPage = hasNextPage(message);
          read(message, asked);
        }
      } catch {
        this.#refuse('noise');
      }
    };
  }

  #refuse(why: 'size' | 'noise'): void {
    this.#refused = why;
    this.#destroy();
  }

  #destroy(): void {
    socketOf(this.#client)?.destroy();
  }

  #faultOf(error: unknown): DirectoryFault {
    if (error instanceof DirectoryFault) return error;
    if (this.#refused) return new DirectoryFault('invalid', this.#refused, error);
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    // Numbers are results of the directory (RFC 4511, section 4.1.9), words are the network's.
    if (typeof code === 'number') return new DirectoryFault('invalid', `result ${code}`, error);
    return new DirectoryFault('away', typeof code === 'string' ? code : 'connection', error);
  }
}

interface Socket {
  destroy(): unknown;
}

/** The socket of the library's client, for which the library has no accessor. */
function socketOf(client: Client): Socket | undefined {
  const socket: unknown = Reflect.get(client, 'socket');
  return isSocket(socket) ? socket : undefined;
}

function isSocket(value: unknown): value is Socket {
  return typeof value === 'object' && value !== null && 'destroy' in value;
}

/** What the library reads responses with. */
interface Parser {
  read(chunk: Buffer, asked: unknown): void;
}

function isParser(value: unknown): value is Parser {
  return typeof value === 'object' && value !== null && 'read' in value && typeof value.read === 'function';
}
