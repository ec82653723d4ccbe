import { administrators, endpoint, lenient, path, withDefault } from '#kernel/endpoint';
import type { UserId } from '#kernel/ids';
import { anyOf, bool, idOf, int, list, object, oneOfNumbers, type SchemaOf } from '#kernel/schema';
import { settingsOf } from '#features/user-settings';
import { listUsers } from '#features/users';
import { addDataExport, removeDataExport } from './actions.ts';
import * as errors from './errors.ts';
import { listDataExports } from './queries.ts';
import type { DataExportId } from './tables.ts';
import { toWireDataExport } from './to-wire.ts';
import { wireDataExport, wireExportType } from './wire.ts';

const SOURCE = 'protocol/organizations#exports';

/** Older clients send numbers for the types. */
const NUMBERED = { 1: 'public', 2: 'full_with_consent' } as const;
const exportType = anyOf(wireExportType, oneOfNumbers(1, 2));
const named = (type: SchemaOf<typeof exportType>) => (typeof type === 'number' ? NUMBERED[type] : type);

const getExports = endpoint({
  id: 'get-realm-exports',
  method: 'GET',
  path: '/export/realm',
  source: SOURCE,
  doc: 'The exports of the organization, with their state.',
  who: administrators,
  params: {},
  returns: { exports: list(wireDataExport) },
  async run({ realm, context }) {
    const rows = await context.store.in(realm).query((tx) => listDataExports(tx));
    return { exports: rows.map((row) => toWireDataExport(realm, row)) };
  },
});

const createExport = endpoint({
  id: 'export-realm',
  method: 'POST',
  path: '/export/realm',
  source: SOURCE,
  doc: 'Starts an export of the organization, which is made in the background.',
  who: administrators,
  dangerous: true,
  params: { export_type: withDefault(lenient(exportType), 'public') },
  returns: { id: idOf<DataExportId>() },
  fails: [errors.ConsentNeeded, errors.TooManyExports, errors.TooLarge],
  run: async ({ actor, params, context }) => ({
    id: await addDataExport(context, actor, named(params.export_type)),
  }),
});

const deleteExport = endpoint({
  id: 'delete-realm-export',
  method: 'DELETE',
  path: '/export/realm/{export_id}',
  source: SOURCE,
  doc: 'Deletes the file of an export.',
  who: administrators,
  params: { export_id: path(idOf<DataExportId>()) },
  returns: {},
  fails: [errors.InvalidExport, errors.ExportDeleted, errors.ExportFailed, errors.ExportPending],
  async run({ realm, params, context }) {
    await removeDataExport(context, realm, params.export_id);
    return {};
  },
});

const getConsents = endpoint({
  id: 'get-realm-export-consents',
  method: 'GET',
  path: '/export/realm/consents',
  source: SOURCE,
  doc: 'Which people let administrators export their private data.',
  who: administrators,
  params: {},
  returns: {
    export_consents: list(object({ user_id: idOf<UserId>(), consented: bool(), email_address_visibility: int() })),
  },
  async run({ realm, context }) {
    const users = await context.store.in(realm).query((tx) => listUsers(tx));
    return {
      export_consents: users
        .filter((user) => user.is_active && !user.is_bot)
        .map((user) => ({
          user_id: user.id,
          consented: settingsOf(user).allow_private_data_export,
          email_address_visibility: user.email_address_visibility,
        })),
    };
  },
});

export const dataExportEndpoints = [getExports, createExport, deleteExport, getConsents];
