import { page, type PageRequest, type PageResponse } from '#kernel/endpoint';
import { show, wayOn } from './layout.ts';

const TITLE = 'Nothing perches here';

/** What a page says where the host names no organization. */
export function noOrganization(request: PageRequest): PageResponse {
  return show(request, {
    title: TITLE,
    status: 404,
    lede: 'There is no organization at this address. Check it for a typing mistake, or ask whoever gave it to you.',
  });
}

/** What a browser is shown where nothing is; it never says whether something was. See protocol/errors#unknown-routes. */
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
            body: wayOn(`Open ${request.realm.name}`, '/'),
          })
        : noOrganization(request),
    ),
});
