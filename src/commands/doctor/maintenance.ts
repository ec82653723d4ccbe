import { systemClock } from '#kernel/clock';
import { type Finding, note, ok } from './finding.ts';

/** End of life of Node releases, by major version; odd ones live half a year. */
const NODE_ENDS: Readonly<Record<number, string>> = { 20: '2026-04-30', 22: '2027-04-30', 24: '2028-04-30' };

/** End of life of PostgreSQL releases, by major version. */
export const POSTGRES_ENDS: Readonly<Record<number, string>> = {
  14: '2026-11-12',
  15: '2027-11-11',
  16: '2028-11-09',
  17: '2029-11-08',
  18: '2030-11-14',
};

/** Returns a release's end of life in seconds since 1970; undefined if it is not listed. */
export function maintenanceEnd(ends: Readonly<Record<number, string>>, release: number): number | undefined {
  const day = ends[release];
  return day === undefined ? undefined : Date.parse(`${day}T23:59:59Z`) / 1000;
}

/** Reports whether a release still gets fixes. */
export function maintenanceFinding(about: string, release: string, end: number | undefined): Finding {
  if (end === undefined || systemClock.now() <= end) return ok(about, release);
  const day = new Date(end * 1000).toISOString().slice(0, 10);
  return note(about, `${release} gets no corrections since ${day}; take a newer release`);
}

/** Checks whether this version of Node still gets fixes. */
export function checkNode(): Promise<Finding[]> {
  const release = Number(process.versions.node.split('.')[0]);
  return Promise.resolve([maintenanceFinding('node', process.versions.node, maintenanceEnd(NODE_ENDS, release))]);
}
