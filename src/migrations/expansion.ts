import type { Migration, Migrator } from '#kernel/store';

/** The newest migration of the last release: processes of that release run beside every later one. */
export const LAST_RELEASED = '2026-11-22T2357-former-subdomains';

/** Statements under which a process of the release before would fail, or would write what the new one cannot read. */
const CONTRACTING: readonly (readonly [RegExp, string])[] = [
  [/\bdrop\s+(table|column|view)\b/i, 'drops what the release before uses'],
  [/\brename\b/i, 'renames what the release before uses'],
  [/\balter\s+(column\s+)?"?\w+"?\s+(set\s+data\s+)?type\b/i, 'changes the type of a column'],
  [/\bset\s+not\s+null\b/i, 'demands what the release before may leave out'],
  [/\badd\s+(constraint|check|foreign|unique)\b/i, 'forbids what the release before may write'],
  [/\badd\s+(column\s+)?(?!.*\bdefault\b).*\bnot\s+null\b/is, 'demands what the release before leaves out'],
  [/^\s*(truncate|delete)\b/i, 'removes rows'],
];

/**
 * Why a migration cannot be run while processes of the release before serve the database; nothing for one that can. First a release
 * expands; when no process of the one before is left, the next contracts, which its migration declares.
 */
export async function contractions({ up, contracts }: Migration): Promise<readonly string[]> {
  if (contracts !== undefined) return [];
  const found: string[] = [];
  const made = new Set<string>();
  await up(recorder(found, made));
  return found;
}

/** Looks at what a migration would do, and does nothing. */
function recorder(found: string[], made: Set<string>): Migrator {
  const look = (statement: string) => {
    const [, table] = /\bon\s+"?(\w+)"?/i.exec(statement) ?? [];
    if (/\bcreate\s+unique\s+index\b/i.test(statement) && !made.has(table ?? ''))
      found.push(`forbids what the release before may write: ${statement}`);
    for (const [pattern, why] of CONTRACTING) if (pattern.test(statement)) found.push(`${why}: ${statement}`);
  };
  return {
    createTable: async (name) => void made.add(name),
    addColumn: async (table, name, { nullable = false, default: value }) => {
      if (!nullable && value === undefined && !made.has(table))
        found.push(`demands what the release before leaves out: ${table}.${name} has no default`);
    },
    createIndex: async (table, columns, unique = false) => {
      if (unique && !made.has(table))
        found.push(`forbids what the release before may write: ${table} (${columns.join(', ')})`);
    },
    run: async (statement) => look(statement),
    byDialect: async (statements) => Object.values(statements).flat().forEach(look),
  };
}
