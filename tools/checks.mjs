// What `npm run check` runs, in this order of reading. Each is a script with arguments; it fails by its exit code.
// What a check writes is shown when it fails; with `shows`, always.
import { programs } from './run/processes.mjs';

/** What the compiler found last time, so that it looks again only at what has changed since. */
const remembered = ['--incremental', '--tsBuildInfoFile', 'node_modules/.cache/types.tsbuildinfo'];

export const checks = [
  { name: 'format', says: 'every file is formatted', run: [programs.biome, 'format', '.'] },
  { name: 'lint', says: 'no lint findings, types included', run: [programs.oxlint, '--type-aware', '--quiet'] },
  { name: 'types', says: 'the types fit', run: [programs.tsc, '--noEmit', ...remembered] },
  { name: 'web-types', says: 'the types of the web client fit', run: ['tools/check-web-types.mjs'] },
  { name: 'doors', says: 'rooms and slices import only what they may', run: [programs.tsx, 'tools/check-doors.ts'] },
  {
    name: 'tables',
    says: 'tables are written and joined by whom they may',
    run: [programs.tsx, 'tools/check-tables.ts'],
  },
  {
    name: 'texts',
    says: 'nothing depends on the machine it was written on',
    run: [programs.tsx, 'tools/check-texts.ts'],
  },
  {
    name: 'contrast',
    says: 'every colour can be told from what it stands on',
    run: [programs.tsx, 'tools/check-contrast.ts'],
  },
  {
    name: 'citations',
    says: 'what is cited is there',
    run: [programs.tsx, '--conditions=source', 'tools/check-citations.ts'],
  },
  {
    name: 'unused',
    says: 'no dead files, exports or dependencies',
    run: [programs.knip, '--config', 'tools/knip.jsonc', '--exclude', 'duplicates', '--no-config-hints'],
  },
  {
    name: 'web-size',
    says: 'the web client is as small as it must be',
    run: ['tools/check-web-size.mjs'],
    shows: true,
  },
  { name: 'sizes', says: 'the longest, for information', run: [programs.tsx, 'tools/show-sizes.ts'], shows: true },
];
