const clocks = new Map<string, Intl.DateTimeFormat>();

/** Minutes since midnight in a time zone; an empty or unknown one counts as UTC. */
function minuteOf(timezone: string, now: number): number {
  const [hours = 0, minutes = 0] = clockOf(timezone)
    .format(now * 1000)
    .split(':')
    .map(Number);
  return hours * 60 + minutes;
}

function clockOf(timeZone: string): Intl.DateTimeFormat {
  const known = clocks.get(timeZone);
  if (known) return known;
  const form = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
  const made = new Intl.DateTimeFormat('en-GB', { ...form, timeZone: timeZone || 'UTC' });
  clocks.set(timeZone, made);
  return made;
}

const HOURS = /^(\d\d):(\d\d)-(\d\d):(\d\d)$/;

/** Whether a time is within somebody's quiet hours, which may span midnight. See protocol/notifications#quiet-hours. */
export function isQuiet(
  { quiet_hours, timezone }: { readonly quiet_hours: string; readonly timezone: string },
  now: number,
): boolean {
  const [, ...parts] = HOURS.exec(quiet_hours) ?? [];
  const [fromHour, fromMinute, toHour, toMinute] = parts.map(Number);
  if (fromHour === undefined || fromMinute === undefined || toHour === undefined || toMinute === undefined)
    return false;
  const [from, to, at] = [fromHour * 60 + fromMinute, toHour * 60 + toMinute, minuteOf(timezone, now)];
  return from <= to ? at >= from && at < to : at >= from || at < to;
}
