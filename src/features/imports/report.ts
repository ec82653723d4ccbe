import { takeCodePoints } from '#kernel/text';

/** What was imported, and what was left out or changed; for people. */
export class Report {
  readonly counts = new Map<string, number>();
  readonly #remarks = new Map<string, { count: number; readonly examples: string[] }>();

  count(what: string, number: number): void {
    this.counts.set(what, (this.counts.get(what) ?? 0) + number);
  }

  /** Something that was changed or left out; a few examples of each kind are kept. */
  remark(what: string, example: string): void {
    const known = this.#remarks.get(what) ?? { count: 0, examples: [] };
    known.count++;
    if (known.examples.length < MAX_EXAMPLES) known.examples.push(takeCodePoints(example, MAX_SHOWN));
    this.#remarks.set(what, known);
  }

  get remarks(): readonly string[] {
    return [...this.#remarks].map(([what, { count, examples }]) => {
      const more = count > examples.length ? ', …' : '';
      return `${what}: ${count} (${examples.join(', ')}${more})`;
    });
  }
}

const MAX_EXAMPLES = 5;
/** Most code points of an example. */
const MAX_SHOWN = 200;
