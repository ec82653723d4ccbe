import type { Filter } from 'ldapts';
import type { Clock } from '#kernel/clock';
import type { LdapDirectory } from '#kernel/identity';
import { assertOutsideTransaction } from '#kernel/scope';
import { Connection, load } from './connection.ts';
import { DirectoryFault } from './fault.ts';
import { attributesOf, comparable, type DirectoryPerson, personOf } from './person.ts';
import { Places } from './places.ts';

/** Milliseconds that one log-in may take in all, once it has begun. */
const LOG_IN_MS = 8_000;
/** Milliseconds for which a directory that did not answer is not asked again. */
const AWAY_MS = 5_000;
/** Entries of one page, which brings their pictures along. */
const PAGE_SIZE = 20;
/** Longest name that people log in with, in characters. */
const MAX_LOGIN = 255;

/** How much a directory may send as a list of its people before it is taken for one without an end. */
interface ListLimits {
  readonly pages: number;
  /** Pages in a row that bring nobody but references to other servers. */
  readonly emptyPages: number;
  /** Milliseconds from the first page to the last, with what is changed meanwhile. */
  readonly ms: number;
}

/** Two million people, and six hours. */
const LIST_LIMITS: ListLimits = { pages: 100_000, emptyPages: 1_000, ms: 6 * 3_600_000 };

/** The directory of one organization. A directory that hangs delays nobody else. */
export class Directory {
  readonly settings: LdapDirectory;
  readonly #clock: Pick<Clock, 'after' | 'monotonicMs'>;
  readonly #places: Places;
  readonly #limits: ListLimits;
  #awayUntil = 0;

  constructor(settings: LdapDirectory, clock: Pick<Clock, 'after' | 'monotonicMs'>, limits = LIST_LIMITS) {
    this.settings = settings;
    this.#clock = clock;
    this.#places = new Places(clock);
    this.#limits = limits;
  }

  /** Whether people log in with something else than an address. */
  get hasNames(): boolean {
    const { login, direct } = this.settings;
    return direct !== undefined || (login ?? []).some((name) => name !== attributesOf(this.settings).email);
  }

  /** The directory's groups that give a role, as those of a person are written. */
  get roles() {
    const { roles = {} } = this.settings;
    return Object.fromEntries(Object.entries(roles).map(([role, groups]) => [role, groups?.map(comparable)]));
  }

  /** The directory's groups whose people are in a user group here, by its name. */
  get groups(): ReadonlyMap<string, ReadonlySet<string>> {
    const { groups = {} } = this.settings;
    return new Map(Object.entries(groups).map(([name, dns]) => [name, new Set(dns.map(comparable))]));
  }

  /** Authenticates a person by name and password; undefined when the name is unknown or the password is wrong. */
  signIn(typed: string, password: string): Promise<DirectoryPerson | undefined> {
    const login = typed.trim();
    if (login === '' || login.length > MAX_LOGIN || login.includes('\0')) return Promise.resolve(undefined);
    return this.#asking((connection) =>
      this.settings.direct
        ? this.#signInDirectly(connection, login, password)
        : this.#searchAndBind(connection, login, password),
    );
  }

  /** Everybody who belongs to the organization, a page at a time; throws where the list is incomplete. */
  async *pages(): AsyncGenerator<readonly DirectoryPerson[]> {
    assertOutsideTransaction('asking a directory');
    const until = this.#clock.monotonicMs() + this.#limits.ms;
    const connection = await Connection.open(this.settings, this.#clock, until);
    let [pages, emptyPages] = [0, 0];
    try {
      await this.#bindToSearch(connection);
      const filter = await this.#peopleFilter();
      for await (const page of connection.pages(this.settings.base, PAGE_SIZE, {
        filter,
        ...this.#wanted('picture'),
      })) {
        emptyPages = page.length === 0 ? emptyPages + 1 : 0;
        if (++pages > this.#limits.pages || emptyPages > this.#limits.emptyPages)
          throw new DirectoryFault('invalid', 'a list without an end');
        yield page.flatMap((entry) => personOf(this.settings, entry) ?? []);
      }
    } finally {
      connection.close();
    }
  }

  /** Whether it answers and lets the server search; throws a DirectoryFault where not. */
  async check(): Promise<void> {
    await this.#asking(async (connection) => {
      await this.#bindToSearch(connection);
      if (this.settings.direct && this.settings.bind_dn === undefined) return;
      await connection.find(this.settings.base, { filter: await this.#peopleFilter(), attributes: ['1.1'] });
    });
  }

  async #searchAndBind(connection: Connection, login: string, password: string): Promise<DirectoryPerson | undefined> {
    const { OrFilter, EqualityFilter, AndFilter } = await load();
    const { base, login: names = [attributesOf(this.settings).email] } = this.settings;
    await this.#bindToSearch(connection);
    // What was typed becomes a value in the filter and is never parsed as a part of it.
    const named = new OrFilter({ filters: names.map((attribute) => new EqualityFilter({ attribute, value: login })) });
    const filter = new AndFilter({ filters: [await this.#peopleFilter(), named] });
    const person = this.#one(await connection.find(base, { filter, ...this.#wanted() }));
    // An unknown name takes as long as a known one, so that the time tells nothing.
    const isRight = await connection.bind(person?.dn ?? `cn=nobody,${base}`, password);
    return isRight ? person : undefined;
  }

  async #signInDirectly(connection: Connection, login: string, password: string): Promise<DirectoryPerson | undefined> {
    const { DN, EqualityFilter, AndFilter } = await load();
    const { base, direct = {} } = this.settings;
    const { attribute } = direct;
    const people = await this.#peopleFilter();
    if (attribute !== undefined) {
      const dn = `${new DN().addPairRDN(attribute, login).toString()},${base}`;
      if (!(await connection.bind(dn, password))) return undefined;
      return this.#one(await connection.find(dn, { scope: 'base', filter: people, ...this.#wanted() }));
    }
    const name = login.includes('@') ? login : `${login}@${direct.domain}`;
    if (!(await connection.bind(name, password))) return undefined;
    const own = new EqualityFilter({ attribute: 'userPrincipalName', value: name });
    return this.#one(
      await connection.find(base, { filter: new AndFilter({ filters: [people, own] }), ...this.#wanted() }),
    );
  }

  #one(found: Awaited<ReturnType<Connection['find']>>): DirectoryPerson | undefined {
    const [entry, second] = found;
    if (second) throw new DirectoryFault('invalid', 'a name of several people');
    if (!entry) return undefined;
    const person = personOf(this.settings, entry);
    if (!person) throw new DirectoryFault('invalid', 'a person without an identifier');
    return person;
  }

  async #bindToSearch(connection: Connection): Promise<void> {
    const { bind_dn, bind_password = '' } = this.settings;
    if (bind_dn === undefined) return;
    if (!(await connection.bind(bind_dn, bind_password))) throw new DirectoryFault('invalid', 'bind_dn is refused');
  }

  async #peopleFilter(): Promise<Filter> {
    const { FilterParser } = await load();
    return FilterParser.parseString(this.settings.people ?? '(objectClass=person)');
  }

  /** Aliases and referrals lead to other servers and are not followed. */
  #wanted(...also: readonly 'picture'[]) {
    const { id, name, email, groups, picture } = attributesOf(this.settings);
    return {
      derefAliases: 'never' as const,
      attributes: [id, name, email, groups, ...(also.includes('picture') ? [picture] : [])],
      explicitBufferAttributes: [id, picture],
      timeLimit: 8,
    };
  }

  async #asking<T>(ask: (connection: Connection) => Promise<T>): Promise<T> {
    assertOutsideTransaction('asking a directory');
    await this.#places.take();
    let isAway = this.#clock.monotonicMs() < this.#awayUntil;
    try {
      if (isAway) throw new DirectoryFault('away', 'was away a moment ago');
      const connection = await Connection.open(this.settings, this.#clock, this.#clock.monotonicMs() + LOG_IN_MS);
      try {
        return await ask(connection);
      } finally {
        connection.close();
      }
    } catch (error) {
      // Those who are told that it was away do not make it away for longer.
      if (!isAway && error instanceof DirectoryFault && error.reason === 'away') {
        isAway = true;
        this.#awayUntil = this.#clock.monotonicMs() + AWAY_MS;
      }
      throw error;
    } finally {
      this.#places.leave(!isAway);
    }
  }
}
