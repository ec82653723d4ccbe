// What `npm run check` runs, the longest first. Each is a script with arguments; it fails by its exit code.
// What a check writes is shown when it fails; with `shows`, always.
import { programs, typescript } from './run/processes.mjs';

/** What knip read last time. */
const cached = ['--cache', '--cache-location', 'node_modules/.cache/knip'];

export const checks = [
  { name: 'lint', says: 'no lint findings, and the types fit', run: typescript('tools/check-lint.mjs') },
  { name: 'doors', says: 'rooms and slices import only what they may', run: typescript('tools/check-doors.ts') },
  {
    name: 'tables',
    says: 'tables are written and joined only by slices that may; the longest files and functions, for information',
    run: typescript('tools/check-tables.ts'),
    shows: true,
  },
  {
    name: 'texts',
    says: 'nothing depends on the machine it was written on',
    run: typescript('tools/check-texts.ts'),
  },
  {
    name: 'contrast',
    says: 'every colour can be told from what it stands on',
    run: typescript('tools/check-contrast.ts'),
  },
  {
    name: 'citations',
    says: 'what is cited is there',
    run: typescript('tools/check-citations.ts', '--conditions=source'),
  },
  {
    name: 'unused',
    says: 'no dead files, exports or dependencies',
    run: [programs.knip, '--config', 'tools/knip.jsonc', '--exclude', 'duplicates', '--no-config-hints', ...cached],
  },
  {
    name: 'web-size',
    says: 'the web client is as small as it must be',
    run: ['tools/check-web-size.mjs'],
    shows: true,
  },
  { name: 'format', says: 'every file is formatted', run: [programs.biome, 'format', '.'] },
];
