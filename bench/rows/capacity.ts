import { demandOf, figures, Plant, type Size } from '../support/capacity.ts';
import { report } from '../support/statistics.ts';

/** Sizes for which the model is printed. */
const SIZES: readonly Size[] = [
  { people: 1000, organizations: 1 },
  { people: 10_000, organizations: 1 },
  { people: 100_000, organizations: 1 },
  { people: 100_000, organizations: 1000 },
  { people: 1_000_000, organizations: 10_000 },
];
/** Simulated seconds of the day's busiest hour. */
const PLAYED_SECONDS = 60;

/**
 * The capacity model of docs/scaling.md: what so many people need by the figures of docs/performance.md, and a
 * simulation of the busiest minutes with the cores that it computes, which finds how busy they are and how long
 * requests wait. No server runs.
 */
export function capacity(): Promise<void> {
  for (const size of SIZES) {
    const demand = demandOf(size);
    const need = figures(demand);
    const name = `${size.people.toLocaleString('en')} people, ${size.organizations.toLocaleString('en')} organization(s)`;
    report('cap', `${name}: asked for`, `${demand.requests.toFixed(0)} requests/s, ${demand.sends.toFixed(1)} sends/s`);
    report(
      'cap',
      `${name}: needed`,
      `${need.processes} processes of a core, ${need.databaseCores} cores and ${need.databases} server(s) of PostgreSQL, ` +
        `${need.memoryGib.toFixed(1)} GiB for processes, ${need.gibPerYear.toFixed(0)} GiB/year, ${need.writesPerSecond.toFixed(0)} flushes/s`,
    );
    const { busy, waitMs, lockBusy } = new Plant(demand, need).play(PLAYED_SECONDS);
    report(
      'cap',
      `${name}: played`,
      `processes busy ${percent(busy.process)}, PostgreSQL ${percent(busy.database)}, busiest log ${percent(lockBusy)}; ` +
        `a request waits ${waitMs.median.toFixed(1)} ms, p99 ${waitMs.p99.toFixed(0)} ms`,
    );
    if (waitMs.p99 > 500 || busy.process > 0.85 || busy.database > 0.85)
      throw new Error(`the model promises too much for ${name}`);
  }
  return Promise.resolve();
}

function percent(share: number): string {
  return `${(100 * share).toFixed(0)} %`;
}
