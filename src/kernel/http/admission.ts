import type { Actor, RealmRef } from '#kernel/auth';
import type { AnyEndpoint, Fields, RequestFacts, UploadedFile } from '#kernel/endpoint';
import {
  IncomingWebhookBot,
  KeyOnlyReads,
  MethodNotAllowed,
  ParameterMissing,
  Unauthorized,
  UnknownHost,
} from '#kernel/errors';
import { networkOf } from '#kernel/limits';
import type { Cause } from '#kernel/store';
import { type Body, isSlowBody, readBody } from './body.ts';
import { clientName } from './client-name.ts';
import { parseCookies, sessionCookieName } from './cookies.ts';
import { type Identified, identify, type LetIn, letIn, noteUse, type Presented, rechecking } from './credentials.ts';
import { parseForm } from './forms.ts';
import { findRealm, type Incoming, type PipelineOptions, type Progress } from './incoming.ts';
import type { Caller } from './request.ts';

/** Type of a bot that may only send messages. */
export const INCOMING_WEBHOOK = 2;

/** Methods that a form may name, for senders that can only use POST. See protocol/wire#routes. */
const NAMED_IN_FORMS: ReadonlySet<string> = new Set(['PATCH', 'PUT', 'DELETE']);

/** A request that passed all checks before its operation runs. */
interface Admitted {
  readonly endpoint: AnyEndpoint;
  readonly realm: RealmRef | undefined;
  readonly actor: Actor | null;
  readonly fields: Fields;
  readonly facts: Omit<RequestFacts, 'ignoredParameters' | 'room'>;
  /** Checks the caller once more, in the request's first write that locks the log. */
  readonly recheck: Cause['recheck'];
}

/** What the request line and headers contain. */
interface Head {
  readonly query: ReadonlyMap<string, string>;
  readonly sessionToken: string | undefined;
  readonly csrfHeader: string | undefined;
}

/**
 * Checks a request; throws if it is refused. The caller and their rate are checked before the body is read. The body of
 * a form is then needed for the method that it may name and the CSRF token that it may contain.
 */
export async function admit(options: PipelineOptions, incoming: Incoming, progress: Progress): Promise<Admitted> {
  const { request, methods } = incoming;
  const isForm = request.verb === 'POST' && request.contentType === 'application/x-www-form-urlencoded';
  const named = methods.get(request.verb);
  if (!named && !isForm) throw MethodNotAllowed({ allowed_methods: allowedOf(methods) });
  progress.label = named?.id ?? progress.label;
  const head = readHead(options, incoming);
  const visit = new Visit(options, incoming, head, progress);
  await visit.checkHead(named, isForm);
  const form = isForm ? await visit.read() : undefined;
  const method = form?.texts.get('method')?.toUpperCase() ?? '';
  const endpoint = (NAMED_IN_FORMS.has(method) && methods.get(method)) || named;
  if (!endpoint) throw MethodNotAllowed({ allowed_methods: allowedOf(methods) });
  progress.label = endpoint.id;
  const client = clientName(request.headers['user-agent'], form?.texts.get('client') ?? head.query.get('client'));
  const early = await visit.letIn(endpoint, form);
  const { file, bytes, texts } = form ?? (await visit.read());
  const caller = form ? early : await visit.letIn(endpoint, undefined);
  const posted = { contentType: request.contentType, bytes, fields: texts };
  return {
    endpoint,
    realm: visit.realm,
    actor: caller && { ...caller, client },
    recheck: caller ? visit.rechecks(endpoint, caller) : undefined,
    fields: {
      texts: withQuery(texts, head.query),
      path: incoming.path,
      file: file && { ...file, isLast: () => visit.isLast(file, endpoint, caller) },
      posted,
    },
    facts: {
      client,
      address: request.address,
      sessionToken: head.sessionToken,
      acceptsGzip: request.acceptsGzip,
      userAgent: request.headers['user-agent'] ?? '',
      headers: request.headers,
      query: head.query,
    },
  };
}

/** Merges the parameters of query and body; those of the body take precedence. */
function withQuery(
  texts: ReadonlyMap<string, string>,
  query: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> {
  return query.size === 0 ? texts : new Map([...query, ...texts]);
}

/** Whether a read-only key is used to change something or to get keys of others. */
function isBeyondScope({ method, readsOnly, givesKeys }: AnyEndpoint, { shownBy }: LetIn): boolean {
  const isReader = shownBy?.kind === 'device key' && shownBy.scope === 'read';
  return isReader && (givesKeys || (method !== 'GET' && !readsOnly));
}

/** Methods of a path, for the Allow header. */
export function allowedOf(methods: ReadonlyMap<string, unknown>): readonly string[] {
  const names = [...methods.keys()];
  if (methods.has('GET')) names.push('HEAD');
  return [...names, 'OPTIONS'].toSorted();
}

function readHead({ context }: PipelineOptions, { request }: Incoming): Head {
  const { headers, url } = request;
  const query = new Map<string, string>();
  parseForm(url.split('?', 2)[1] ?? '', query);
  const csrfHeader = headers['x-csrftoken'];
  return {
    query,
    sessionToken: parseCookies(headers.cookie)[sessionCookieName(context.server.externalUrl)],
    csrfHeader: typeof csrfHeader === 'string' ? csrfHeader : undefined,
  };
}

/** A request while it is being checked. */
class Visit {
  readonly #options: PipelineOptions;
  readonly #incoming: Incoming;
  readonly #head: Head;
  readonly #progress: Progress;
  #identified: Identified | undefined;
  #caller: LetIn | null | undefined;
  /** When reading its body began. */
  #began = 0;
  realm: RealmRef | undefined;

  constructor(options: PipelineOptions, incoming: Incoming, head: Head, progress: Progress) {
    this.#options = options;
    this.#incoming = incoming;
    this.#head = head;
    this.#progress = progress;
  }

  /** Identifies the caller from the headers, and counts the request for their rate limit. */
  async checkHead(named: AnyEndpoint | undefined, isForm: boolean): Promise<void> {
    const { request, methods } = this.#incoming;
    this.realm = await findRealm(this.#options, request);
    if (!this.realm && named?.who.credentials !== 'ignored') throw UnknownHost();
    if (!this.realm || named?.who.credentials === 'ignored') return this.#takeOf(null);
    const { login, sessionToken } = await this.#identify(this.realm, named);
    // A session's CSRF token may be in the form, which is read only after the rate limit.
    const awaitsToken = isForm && sessionToken !== undefined && this.#head.csrfHeader === undefined;
    if (!awaitsToken && named) this.#caller = await this.#letIn(this.realm, named, undefined);
    await this.#takeOf(login?.actor ?? null);
    const others = [...NAMED_IN_FORMS].flatMap((method) => methods.get(method) ?? []);
    const isClosed = [named, ...others].every((endpoint) => endpoint?.who.credentials === 'required');
    if (!login && isClosed) throw named?.takesKey ? ParameterMissing({ var_name: 'api_key' }) : Unauthorized();
  }

  /**
   * Reads the body within the caller's memory limit. After a slow body the caller is checked again: it may take an
   * hour, in which a key, a session, a role or an account can end (security#asvs, 7.4.2, 8.3.2).
   */
  async read(): Promise<Body> {
    const { request } = this.#incoming;
    const { clock } = this.#options.context;
    this.#began = clock.monotonicMs();
    const body = await readBody(request, request.shareFor(this.#progress.caller));
    if (isSlowBody(clock.monotonicMs() - this.#began)) this.#identified = this.#caller = undefined;
    return body;
  }

  /**
   * Whether no file follows this one, which the operation has read itself. If the body was slow, the caller is checked
   * again; throws if they may no longer send it.
   */
  async isLast(file: UploadedFile, endpoint: AnyEndpoint, before: LetIn | null): Promise<boolean> {
    const isLast = await file.isLast();
    if (!isSlowBody(this.#options.context.clock.monotonicMs() - this.#began)) return isLast;
    this.#identified = this.#caller = undefined;
    const caller = await this.letIn(endpoint, undefined);
    if (caller?.role !== before?.role) throw Unauthorized();
    return isLast;
  }

  /** Returns the caller for the operation; throws if the operation does not accept them. */
  async letIn(endpoint: AnyEndpoint, form: Body | undefined): Promise<LetIn | null> {
    const { credentials } = endpoint.who;
    if (credentials === 'ignored' || !this.realm) return null;
    const token = form?.texts.get('csrfmiddlewaretoken');
    const caller = this.#caller === undefined ? await this.#letIn(this.realm, endpoint, token) : this.#caller;
    if (!caller) {
      if (credentials === 'required') throw Unauthorized();
      return null;
    }
    if (caller.botType === INCOMING_WEBHOOK && !endpoint.webhookBots) throw IncomingWebhookBot();
    if (isBeyondScope(endpoint, caller)) throw KeyOnlyReads();
    const refusal = endpoint.who.refuse(caller);
    if (refusal) throw refusal;
    return caller;
  }

  /** What checks in a write that the caller may still make the request. */
  rechecks(endpoint: AnyEndpoint, caller: LetIn): Cause['recheck'] {
    const { realm } = this;
    return realm && rechecking(this.#options.source, realm, this.#presented(endpoint), caller);
  }

  async #identify(realm: RealmRef, endpoint: AnyEndpoint | undefined): Promise<Identified> {
    const { context, source } = this.#options;
    try {
      return (this.#identified = await identify(context, source, realm, this.#presented(endpoint)));
    } catch (error) {
      return this.#charged(error);
    }
  }

  #presented(endpoint: AnyEndpoint | undefined): Presented {
    const { authorization } = this.#incoming.request.headers;
    const { sessionToken, query } = this.#head;
    if (!endpoint?.takesKey) return { authorization, sessionToken };
    const apiKey = query.get('api_key');
    // Services may send an Authorization header that is not for this server.
    return { authorization: apiKey === undefined ? authorization : undefined, apiKey, sessionToken: undefined };
  }

  async #letIn(realm: RealmRef, endpoint: AnyEndpoint, formToken: string | undefined): Promise<LetIn | null> {
    const { context } = this.#options;
    const { address } = this.#incoming.request;
    const identified = this.#identified ?? (await this.#identify(realm, endpoint));
    const terms = { isSafe: endpoint.method === 'GET', csrfToken: this.#head.csrfHeader ?? formToken, address };
    try {
      const caller = letIn(context, realm, identified, terms);
      const noting = noteUse(context, realm, identified);
      if (noting) await noting;
      return caller;
    } catch (error) {
      return this.#charged(error);
    }
  }

  /** Throws the error of a failed login, which counts for the rate limit of the address, to limit guessing. */
  async #charged(error: unknown): Promise<never> {
    if (!this.#progress.allowance) await this.#takeOf(null);
    throw error;
  }

  async #takeOf(caller: Caller): Promise<void> {
    const { limits } = this.#options;
    this.#progress.caller = caller;
    this.#progress.allowance = caller
      ? await limits.take('user', String(caller.userId))
      : await limits.take('address', networkOf(this.#incoming.request.address));
  }
}
