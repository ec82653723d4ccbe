import { findIntegration } from '#features/integrations';
import { page } from '#kernel/endpoint';

/**
 * Some services ask whether an address is one, before they post to it, and want a text repeated.
 * See protocol/bots#incoming-webhooks.
 */
export const probePage = page({
  methods: ['GET'],
  path: '/api/v1/external/{integration}',
  handle: ({ path, url }) => {
    if (!findIntegration(path['integration'] ?? '')) return Promise.resolve({ status: 404, body: 'Not found\n' });
    const challenge = url.searchParams.get('challenge') ?? '';
    return Promise.resolve({ body: challenge.slice(0, 1000) });
  },
});
