import { deriveKey } from '#kernel/auth';
import type { Context } from '#kernel/context';
import { type Page, type PageRequest, type PageResponse, page } from '#kernel/endpoint';
import { KEY_BYTES, type KeyPair, keyPairFrom } from '#kernel/secretbox';
import { beginTransfer, endTransfer, registerServer, serverOf } from './accounts.ts';
import { reportStatus, takeReport } from './analytics.ts';
import { notifyOlder, registerOlder, tryOlder, unregisterAll, unregisterOlder } from './older.ts';
import { setServer } from './queries.ts';
import { accept, badRequest, Refused, readBytes } from './reading.ts';
import { type Caller, callerOf } from './room.ts';
import { notifySealed, registerSealed } from './sealed.ts';
import type { Senders } from './senders.ts';

/** Options of a gateway. */
export interface GatewayOptions {
  readonly senders: Senders;
  /** Whether servers may open accounts themselves. */
  readonly isOpen: boolean;
}

/**
 * The key pair that apps encrypt for. It is derived from the gateway's secret, and apps are built with its public half.
 */
export function gatewayKeys({ server }: Pick<Context, 'server'>): Promise<KeyPair> {
  const seed = Buffer.from(deriveKey(server.secret, 'push gateway: registrations'));
  return keyPairFrom(seed.subarray(0, KEY_BYTES));
}

type Handle = (context: Context, server: Caller, request: PageRequest) => Promise<PageResponse> | PageResponse;

/** The body; throws if the account of the sending server ended while the body arrived (security#asvs, 7.4.2). */
const bodyOf = (request: PageRequest) => readBytes(request, () => serverOf(request));

const formOf = async (request: PageRequest): Promise<ReadonlyMap<string, string>> =>
  new Map(new URLSearchParams(await bodyOf(request)));

const jsonOf = async (request: PageRequest): Promise<unknown> => {
  try {
    const value: unknown = JSON.parse(await bodyOf(request));
    return value;
  } catch (error) {
    if (error instanceof SyntaxError) throw badRequest('Malformed JSON');
    throw error;
  }
};

/** The operations of a push gateway. docs/push-gateway.md. */
export function gatewayPages({ senders, isOpen }: GatewayOptions): readonly Page[] {
  const strangers: readonly Page[] = [
    open('/server/register', (request) => registerServer(request, isOpen)),
    open('/server/register/transfer', beginTransfer),
    open('/server/register/verify_challenge', endTransfer),
  ];
  const known = {
    '/server/deactivate': async (context, server) => {
      await context.store.write((tx) => setServer(tx, server.id, { is_deactivated: true }));
      return accept();
    },
    '/server/analytics': async (context, server, request) => takeReport(context, server, await formOf(request)),
    '/push/e2ee/register': async (context, server, request) =>
      registerSealed(context, server, await gatewayKeys(context), await formOf(request)),
    '/push/e2ee/notify': async (context, server, request) =>
      notifySealed(context, server, senders, await jsonOf(request)),
    '/push/register': async (context, server, request) => registerOlder(context, server, await formOf(request)),
    '/push/unregister': async (context, server, request) => unregisterOlder(context, server, await formOf(request)),
    '/push/unregister/all': async (context, server, request) => unregisterAll(context, server, await formOf(request)),
    '/push/notify': async (context, server, request) => notifyOlder(context, server, senders, await jsonOf(request)),
    '/push/test_notification': async (context, server, request) =>
      tryOlder(context, server, senders, await jsonOf(request)),
  } satisfies Readonly<Record<string, Handle>>;
  const status = '/server/analytics/status';
  return [
    ...strangers,
    ...Object.entries(known).map(([path, handle]) => guarded('POST', path, handle)),
    guarded('GET', status, (_context, server) => reportStatus(server)),
  ];
}

function open(path: string, handle: (request: PageRequest) => Promise<PageResponse>): Page {
  return page({
    methods: ['POST'],
    path: `/api/v1/remotes${path}`,
    isBare: true,
    handle: (request) => answered(() => handle(request)),
  });
}

function guarded(method: 'GET' | 'POST', path: string, handle: Handle): Page {
  return page({
    methods: [method],
    path: `/api/v1/remotes${path}`,
    isBare: true,
    handle: (request) =>
      answered(async () => handle(request.context, callerOf(await serverOf(request), request.address), request)),
  });
}

async function answered(answer: () => Promise<PageResponse>): Promise<PageResponse> {
  try {
    return await answer();
  } catch (error) {
    if (error instanceof Refused) return error.response;
    throw error;
  }
}
