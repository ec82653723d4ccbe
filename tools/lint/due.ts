// Finds the files that the linter has to check: those that changed since all were clean, and those that import, directly or
// indirectly, a file whose exports changed. Findings in a file depend on nothing else.
import type { Files } from './programs.ts';

function importersOf(files: Files): ReadonlyMap<string, readonly string[]> {
  const importers = new Map<string, string[]>();
  for (const [path, { imports }] of Object.entries(files))
    for (const imported of imports) importers.set(imported, [...(importers.get(imported) ?? []), path]);
  return importers;
}

/** Returns paths of the files in `now` that may have findings which they did not have in `before`. */
export function dueFiles(before: Files, now: Files): ReadonlySet<string> {
  const paths = [...new Set([...Object.keys(before), ...Object.keys(now)])];
  const changed = paths.filter((path) => before[path]?.text !== now[path]?.text);
  if (changed.some((path) => before[path]?.isGlobal || now[path]?.isGlobal)) return new Set(Object.keys(now));
  const reshaped = new Set(paths.filter((path) => before[path]?.shape !== now[path]?.shape));
  const importers = importersOf(now);
  for (const path of reshaped) for (const importer of importers.get(path) ?? []) reshaped.add(importer);
  return new Set([...changed, ...reshaped].filter((path) => path in now));
}
