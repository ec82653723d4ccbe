import { findIntegration } from '#features/integrations';
import { page } from '#kernel/endpoint';

/**
 * Replies to services that check an address with GET before they post to it, some of which want a text repeated. See
 * protocol/bots#incoming-webhooks.
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
