// The rules of check-texts.ts, apart so that they can be tested.

// Built from pieces, so that this file does not break its own rules.
const rules = [
  {
    pattern: new RegExp(`(?<![\\w.])/(?:${['home', 'Users', 'work', 'root'].join('|')})/[\\w.-]+`),
    says: "path of a developer's machine",
  },
  { pattern: /[a-z]:\\users\\/i, says: "path of a developer's machine" },
  {
    pattern: new RegExp(`(?:\\.\\./)+${'shared'}/(?:spec|contract|design)\\b`),
    says: 'path that leads out of the repository',
  },
  {
    pattern: /https?:\/\/[\w.-]*(?:registry|npmjs|npmmirror|artifactory|nexus)[\w.-]*/i,
    says: 'address of a package registry',
  },
];

/** Findings in one tracked file, each as `path:line: what: text`. */
export function findInText(path: string, text: string): string[] {
  return text.split('\n').flatMap((line, index) =>
    rules.flatMap(({ pattern, says }) => {
      const hit = pattern.exec(line);
      return hit === null ? [] : [`${path}:${index + 1}: ${says}: ${hit[0]}`];
    }),
  );
}

/** Findings in the lock file: entries that say where they were downloaded from. */
export function findInLock(text: string): string[] {
  const hits = text.match(/"resolved":/g) ?? [];
  return hits.length === 0
    ? []
    : [`package-lock.json: ${hits.length} entries with "resolved"; make it with npm run lock`];
}
