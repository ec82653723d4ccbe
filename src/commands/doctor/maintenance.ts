import { systemClock } from '#kernel/clock';
import { type Finding, note, ok } from './finding.ts';

/** Days on which releases of Node get their last corrections, by their first number; odd ones live half a year. */
const NODE_ENDS: Readonly<Record<number, string>> = { 20: '2026-04-30', 22: '2027-04-30', 24: '2028-04-30' };

/** The same of PostgreSQL. */
export const POSTGRES_ENDS: Readonly<Record<number, string>> = {
  14: '2026-11-12',
  15: '2027-11-11',
  16: '2028-11-09',
  17: '2029-11-08',
  18: '2030-11-14',
};

/** Seconds since 1970 after which a release gets no corrections; undefined where nobody knew when this was written. */
export function maintenanceEnd(ends: Readonly<Record<number, string>>, release: number): number | undefined {
  const day = ends[release];
  return day === undefined ? undefined : Date.parse(`${day}T23:59:59Z`) / 1000;
}

/** Whether a release still gets corrections. */
export function maintenanceFinding(about: string, release: string, end: number | undefined): Finding {
  if (end === undefined || systemClock.now() <= end) return ok(about, release);
  const day = new Date(end * 1000).toISOString().slice(0, 10);
  return note(about, `${release} gets no corrections since ${day}; take a newer release`);
}

/** Whether the Node that runs this still gets corrections. */
export function checkNode(): Promise<Finding[]> {
  const release = Number(process.versions.node.split('.')[0]);
  return Promise.resolve([maintenanceFinding('node', process.versions.node, maintenanceEnd(NODE_ENDS, release))]);
}
