import { type Page, page } from '#kernel/endpoint';
import { sql } from '#kernel/store';

/** Health, readiness and metrics, for whoever runs the server. Contract surrounding 2.1. */
export const healthPages: readonly Page[] = [
  page({
    methods: ['GET'],
    path: '/health',
    handle: async ({ kit }) => {
      await kit.store.query((tx) => sql`select 1`.execute(tx.db));
      return { headers: { 'content-type': 'application/json' }, body: JSON.stringify({ result: 'success', msg: '' }) };
    },
  }),
  page({
    methods: ['GET'],
    path: '/metrics',
    handle: async ({ kit, address }) => {
      // Numbers about the whole server are for the machine it runs on.
      if (!['127.0.0.1', '::1', '::ffff:127.0.0.1'].includes(address)) return { status: 404, body: 'Not found\n' };
      return { headers: { 'content-type': 'text/plain; version=0.0.4' }, body: await kit.metrics.text() };
    },
  }),
];
