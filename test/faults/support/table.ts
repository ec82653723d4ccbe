import type { Seen } from './load.ts';

/** What was seen of a fault, and how long a service was away for it. */
export type Round = Seen & { readonly awayMs: number };

const COLUMNS = [
  'fault',
  'rounds',
  'acknowledged',
  'files',
  'away ms',
  'gap p50 / max ms',
  'polls failed ms',
  'answers',
];

/** Rounds of each fault, as `docs/reliability.md` shows them: sums, the longest times, and the middle one of the usual gaps. */
export class Table {
  readonly #rounds = new Map<string, Round[]>();

  add(fault: string, round: Round): void {
    this.#rounds.set(fault, [...(this.#rounds.get(fault) ?? []), round]);
  }

  toString(): string {
    const lines = [...this.#rounds].map(([fault, rounds]) => rowOf(fault, rounds));
    return [`| ${COLUMNS.join(' | ')} |`, `|${'---|'.repeat(COLUMNS.length)}`, ...lines].join('\n');
  }
}

/** A row of the table. */
export function rowOf(fault: string, rounds: readonly Round[]): string {
  const sum = (of: (round: Round) => number) => rounds.reduce((all, round) => all + of(round), 0);
  const most = (of: (round: Round) => number) => Math.max(...rounds.map(of));
  const usual = rounds.map(({ gaps }) => gaps.p50).toSorted((a, b) => a - b)[rounds.length >> 1];
  const kinds = [...new Set(rounds.flatMap(({ answers }) => Object.keys(answers)))].toSorted();
  const answers = kinds.map((kind) => `${sum((round) => round.answers[kind] ?? 0)} × ${kind}`).join(', ');
  const cells = [
    fault,
    rounds.length,
    sum((round) => round.acknowledged),
    sum((round) => round.files),
    most((round) => round.awayMs),
    `${usual} / ${most(({ gaps }) => gaps.max)}`,
    most((round) => round.pollsFailedMs),
    answers,
  ];
  return `| ${cells.join(' | ')} |`;
}
