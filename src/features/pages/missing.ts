import { page, type PageRequest, type PageResponse } from '#kernel/endpoint';
import { show, nextLink } from './layout.ts';
import { wordsFor } from './words/index.ts';

/** The page for a host without an organization. */
export function noOrganization(request: PageRequest): PageResponse {
  const { t, language } = wordsFor(request);
  return show(request, { language, title: t('missing.title'), status: 404, lede: t('missing.organization') });
}

/**
 * The page for an unknown address; it never reveals whether there was something. See protocol/errors#unknown-routes.
 */
export const missingPage = page({
  methods: ['GET'],
  path: '/{rest*}',
  handle: (request) =>
    Promise.resolve(request.realm ? nothingHere(request, request.realm.name) : noOrganization(request)),
});

function nothingHere(request: PageRequest, name: string): PageResponse {
  const { t, language } = wordsFor(request);
  return show(request, {
    language,
    title: t('missing.title'),
    status: 404,
    lede: t('missing.text'),
    body: nextLink(t('common.open', { name }), '/'),
  });
}
