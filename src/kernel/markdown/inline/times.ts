import { element, text } from '../tree.ts';
import { syntax } from './context.ts';

const iso =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,6})\d*)?)?(Z|[+-]\d{2}(?::?\d{2})?)?)?$/;

const MINUTE_MS = 60_000;

/** Converts an ISO 8601 time to UTC with `Z`; undefined if it is invalid. A time without a zone counts as UTC. */
function utcOf(typed: string): string | undefined {
  const match = iso.exec(typed);
  if (!match) return undefined;
  const [, year, month, day, hour = '0', minute = '0', second = '0', fraction, zone = 'Z'] = match;
  const fields = [year, month, day, hour, minute, second].map(Number);
  const local = localTime(fields);
  const offset = offsetMinutes(zone);
  if (local === undefined || offset === undefined) return undefined;
  const utc = new Date(local - offset * MINUTE_MS);
  if (utc.getUTCFullYear() < 1 || utc.getUTCFullYear() > 9999) return undefined;
  const whole = utc.toISOString().slice(0, 19);
  return Number(fraction ?? 0) === 0 ? `${whole}Z` : `${whole}.${(fraction ?? '').padEnd(6, '0')}Z`;
}

/** Milliseconds since 1970 of a date and time in UTC; undefined if there is no such day or time. */
function localTime([year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0]: readonly number[]):
  | number
  | undefined {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  const exists = date.getUTCFullYear() === year && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  if (!exists || year < 1 || hour > 23 || minute > 59 || second > 59) return undefined;
  return date.setUTCHours(hour, minute, second);
}

function offsetMinutes(zone: string): number | undefined {
  if (zone === 'Z') return 0;
  const hours = Number(zone.slice(1, 3));
  const minutes = Number(zone.slice(3).replace(':', ''));
  if (hours > 23 || minutes > 59) return undefined;
  return (zone.startsWith('-') ? -1 : 1) * (hours * 60 + minutes);
}

const OPEN = '<time:';

/** Parses `<time:…>` with an ISO 8601 date or time; anything else stays text (protocol/markdown#times). */
export const times = syntax('<', (source, { stash }) => {
  let result = '';
  let done = 0;
  for (let start = source.indexOf(OPEN); start !== -1; start = source.indexOf(OPEN, start)) {
    const end = source.indexOf('>', start + OPEN.length);
    if (end === -1) break;
    const whole = source.slice(start, end + 1);
    const typed = stash.restore(source.slice(start + OPEN.length, end));
    const datetime = utcOf(typed);
    result += source.slice(done, start);
    if (typed === '') result += whole;
    else if (datetime === undefined) result += stash.put(text(`${OPEN}${typed}>`), whole);
    else result += stash.put(element('time', { datetime }, [text(typed)]), whole);
    done = start = end + 1;
  }
  return result + source.slice(done);
});
