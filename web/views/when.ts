/** A suggested time, in seconds, with a text. */
export interface TimeChoice {
  readonly key: 'halfHour' | 'threeHours' | 'afternoon' | 'tomorrow' | 'monday';
  readonly at: number;
}

/** Returns suggested times in the browser's zone: soon, this afternoon, tomorrow, on Monday. */
export function timeChoices(now: number): readonly TimeChoice[] {
  const at = (days: number, hour: number) => {
    const day = new Date(now * 1000);
    day.setDate(day.getDate() + days);
    day.setHours(hour, 0, 0, 0);
    return Math.floor(day.getTime() / 1000);
  };
  const today = new Date(now * 1000).getDay();
  const toMonday = (8 - today) % 7 || 7;
  const afternoon = at(0, 15);
  return [
    { key: 'halfHour', at: roundUp(now + 30 * 60) },
    { key: 'threeHours', at: roundUp(now + 3 * 3600) },
    ...(afternoon - now > 3600 ? [{ key: 'afternoon' as const, at: afternoon }] : []),
    { key: 'tomorrow', at: at(1, 9) },
    ...(toMonday > 1 ? [{ key: 'monday' as const, at: at(toMonday, 9) }] : []),
  ];
}

/** Rounds up to a whole minute. */
function roundUp(seconds: number): number {
  return Math.ceil(seconds / 60) * 60;
}

/** Formats a time as the value of a `datetime-local` field, in the browser's zone. */
export function toFieldTime(seconds: number): string {
  const shifted = new Date(seconds * 1000 - new Date(seconds * 1000).getTimezoneOffset() * 60_000);
  return shifted.toISOString().slice(0, 16);
}

/** Parses the value of such a field; undefined while it is incomplete. */
export function fromFieldTime(value: string): number | undefined {
  const ms = Date.parse(value);
  return Number.isNaN(ms) ? undefined : Math.floor(ms / 1000);
}
