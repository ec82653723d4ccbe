import { page, type PageRequest, type PageResponse } from '#kernel/endpoint';
import { show, nextLink } from './layout.ts';

const TITLE = 'Nothing perches here';

/** The page for a host without an organization. */
export function noOrganization(request: PageRequest): PageResponse {
  return show(request, {
    title: TITLE,
    status: 404,
    lede: 'There is no organization at this address. Check it for a typing mistake, or ask whoever gave it to you.',
  });
}

/**
 * The page for an unknown address; it never reveals whether there was something. See protocol/errors#unknown-routes.
 */
export const missingPage = page({
  methods: ['GET'],
  path: '/{rest*}',
  handle: (request) =>
    Promise.resolve(
      request.realm
        ? show(request, {
            title: TITLE,
            status: 404,
            lede: 'The address may be mistyped, or what was here was moved, deleted, or is not for you.',
            body: nextLink(`Open ${request.realm.name}`, '/'),
          })
        : noOrganization(request),
    ),
});
