// The rules of check-texts.ts, in a file of their own so that they can be tested.

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

/** Constants that one place declares; product code must import them from there. */
const declarations = [
  {
    pattern: /\b(?:86_?400|604_?800)(?:_?000)?\b|\b24 \* (?:3_?600|60 \* 60)|\b60 \* 60 \* 24\b/,
    by: ['src/kernel/clock/clock.ts', 'web/words/dates.ts'],
    says: 'seconds of a day or week, which SECONDS_PER_DAY says',
  },
  {
    pattern: /'general chat'|'\(no topic\)'/,
    by: ['src/kernel/text/empty-topic.ts', 'web/words/english/worker.ts'],
    says: 'a name of the topic without one, which kernel/text says',
  },
];

function rulesFor(path: string) {
  const isProduct = /^(?:src|web)\/.*\.tsx?$/.test(path) && !path.includes('.test.');
  return isProduct ? [...rules, ...declarations.filter(({ by }) => !by.includes(path))] : rules;
}

/** Returns the findings in one tracked file, each as `path:line: what: text`. */
export function findInText(path: string, text: string): string[] {
  const of = rulesFor(path);
  return text.split('\n').flatMap((line, index) =>
    of.flatMap(({ pattern, says }) => {
      const hit = pattern.exec(line);
      return hit === null ? [] : [`${path}:${index + 1}: ${says}: ${hit[0]}`];
    }),
  );
}

/** Returns the findings in the lock file: entries that say where they were downloaded from. */
export function findInLock(text: string): string[] {
  const hits = text.match(/"resolved":/g) ?? [];
  return hits.length === 0
    ? []
    : [`package-lock.json: ${hits.length} entries with "resolved"; make it with npm run lock`];
}
