import { confirmFirst } from '#features/sign-in';
import { page, type PageRequest, type PageResponse } from '#kernel/endpoint';
import { KeyNotEnough } from '#kernel/errors';
import { asId } from '#kernel/ids';
import { refuse, serveBytes } from '#features/downloads';
import { nameOf } from './names.ts';
import { findDataExport } from './queries.ts';
import type { DataExportId } from './tables.ts';

const ADMINISTRATOR = 200;
const TYPE = 'application/gzip';

/**
 * The archive of an export. Administrators only; others get the same reply as for a missing file. Fetching it is as
 * dangerous as making it. See protocol/organizations#exports, protocol/authentication#confirmation.
 */
const download = page({
  methods: ['GET'],
  path: '/data_exports/{export_id}/{filename}',
  async handle(request) {
    const { refusal, actor } = request;
    if (refusal) throw refusal;
    if (!actor) return refuse(request, 'forbidden');
    if (actor.role > ADMINISTRATOR) return refuse(request, 'gone');
    if (actor.shownBy?.kind === 'device key') throw KeyNotEnough();
    const first = actor.shownBy && confirmFirst(request, request.url.pathname);
    return first ?? (await serveExport(request)) ?? refuse(request, 'gone');
  },
});

async function serveExport({ context, headers, realm, path }: PageRequest): Promise<PageResponse | undefined> {
  const id = path['export_id'] ?? '';
  if (!realm || !/^\d{1,15}$/.test(id)) return undefined;
  const row = await context.store.in(realm).query((tx) => findDataExport(tx, asId<DataExportId>(Number(id))));
  if (!row || row.file_key === null || row.deleted_at !== null) return undefined;
  const name = `${nameOf(realm.subdomain, row.id)}.tar.gz`;
  if (path['filename'] !== name) return undefined;
  const served = { key: row.file_key, name, contentType: TYPE, isDownload: true };
  const response = await serveBytes(context, headers, served);
  return response && { ...response, headers: { ...response.headers, 'cache-control': 'private, no-store' } };
}

export const dataExportPages = [download];
