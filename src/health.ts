import { type Page, page, type PageResponse } from '#kernel/endpoint';
import { sql } from '#kernel/store';

const healthy = (facts: object): PageResponse => ({
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ result: 'success', msg: '', ...facts }),
});

/** Health, readiness and metrics, for the operator. See protocol/authentication#sign-in. */
export const healthPages: readonly Page[] = [
  page({
    methods: ['GET'],
    path: '/health',
    isBare: true,
    handle: async ({ context }) => {
      // Where the database does not answer, this is refused as every request is: 503, with when to ask again.
      await context.store.query((tx) => sql`select 1`.execute(tx.db));
      const degraded = context.degraded();
      return healthy(degraded.length === 0 ? { status: 'ready' } : { status: 'degraded', degraded });
    },
  }),
  page({
    methods: ['GET'],
    path: '/health/live',
    isBare: true,
    handle: async () => healthy({ status: 'alive' }),
  }),
  page({
    methods: ['GET'],
    path: '/metrics',
    handle: async ({ context, address }) => {
      // Numbers about the whole server are for the machine it runs on.
      if (!['127.0.0.1', '::1', '::ffff:127.0.0.1'].includes(address)) return { status: 404, body: 'Not found\n' };
      return { headers: { 'content-type': 'text/plain; version=0.0.4' }, body: await context.metrics.text() };
    },
  }),
];
