import { OWN_TABLE_PREFIX, FORMAT } from '#features/exports';
import type { Tables } from './entry.ts';
import { OLDER_NAMES } from './policies.ts';
import type { Report } from './report.ts';

const KNOWN = new Set([
  'import_source',
  'invitation',
  ...[
    'realm realmauthenticationmethod realmuserdefault realmdomain realmfilter realmplayground realmemoji customprofilefield',
    'customprofilefieldvalue channelfolder defaultstreamgroup userprofile userprofile_mirrordummy userprofile_crossrealm',
    'usergroup namedusergroup usergroupmembership groupgroupmembership stream defaultstream recipient huddle subscription',
    'realmauditlog alertword muteduser usertopic userstatus userpresence presencesequence savedsnippet navigationview',
    'onboardingstep draft scheduledmessage service botconfigdata botstoragedata client reaction submessage',
  ]
    .join(' ')
    .split(' ')
    .map((name) => `zerver_${name}`),
]);

/** Columns of older releases that are read where today's are missing, and what a row of another product is known by. */
const OLDER: Readonly<Record<string, readonly string[]>> = {
  zerver_usergroup: [...(FORMAT.get('zerver_namedusergroup') ?? [])],
  zerver_subscription: ['in_home_view'],
  zerver_realmfilter: ['url_format_string'],
  zerver_realmplayground: ['url_prefix'],
  zerver_usermessage: ['flags'],
};
const ANYWHERE = new Set([...OLDER_NAMES, 'import_key']);

/** Names what is in the archive and does not come: tables, and columns of tables that do. */
export function nameUnknown(tables: Tables, report: Report): void {
  for (const name of tables.names) {
    if (!KNOWN.has(name.replace(OWN_TABLE_PREFIX, ''))) {
      if (tables.hasRows(name)) report.remark('tables left out', name);
    } else nameUnknownFields(tables, name, report);
  }
}

/** Names columns of a table of the format that neither today's release has nor an older one whose columns are read. */
export function nameUnknownFields(tables: Tables, table: string, report: Report): void {
  const format = FORMAT.get(table);
  if (!format) return;
  const known = new Set([...format, ...(OLDER[table] ?? [])]);
  const isKnown = (field: string) => known.has(field) || known.has(field.replace(/_id$/, '')) || ANYWHERE.has(field);
  for (const place of tables.fieldsBut(table, isKnown)) report.remark('fields left out', place);
}
