import { page, type PageResponse } from '#kernel/endpoint';
import { openChallenge } from './account.ts';

const json = { 'content-type': 'application/json' };

/**
 * Answers the push service when the server's account is moved to new credentials: only who answers for the host name gets
 * them. docs/push-gateway.md, "An account".
 */
export const challengePage = page({
  methods: ['GET'],
  path: '/api/v1/zulip-services/verify/{token}',
  isBare: true,
  handle: async (request): Promise<PageResponse> => {
    const verification_secret = await openChallenge(request.context, request.path['token'] ?? '');
    if (verification_secret !== undefined)
      return { headers: json, body: JSON.stringify({ result: 'success', msg: '', verification_secret }) };
    const code = 'REMOTE_SERVER_VERIFICATION_SECRET_NOT_PREPARED';
    const refusal = { result: 'error', msg: 'Verification secret not prepared', code };
    return { status: 400, headers: json, body: JSON.stringify(refusal) };
  },
});
