import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const DECLARED = /^export const (\w+) = defineMigration\(\s*'([^']+)'/m;

/**
 * Returns the text of `src/migrations/index.ts`: all migrations of the folder by name, which begins with the minute.
 */
export function migrationsIndex(folder: string): string {
  const files = readdirSync(folder).filter((name) => /^\d{4}-\d\d-\d\dT\d{4}-.*\.ts$/.test(name));
  const all = files.toSorted().map((file) => {
    const [, constant, name] = DECLARED.exec(readFileSync(join(folder, file), 'utf8')) ?? [];
    if (constant === undefined || `${name}.ts` !== file) throw new Error(`${file} declares no migration of its name`);
    return { file, constant };
  });
  return [
    '// Made by `npm run docs` from the files of this folder; not edited by hand.',
    "import type { Migration } from '#kernel/store';",
    ...all.map(({ file, constant }) => `import { ${constant} } from './${file}';`),
    '',
    '/** All migrations, oldest first. */',
    'export const migrations: readonly Migration[] = [',
    ...all.map(({ constant }) => `  ${constant},`),
    '];',
    '',
  ].join('\n');
}
