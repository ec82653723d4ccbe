import { locale } from './language.ts';

/** How times are written for a reader. */
export interface TimeStyle {
  readonly locale: string;
  /** IANA name; undefined for the browser's own zone. */
  readonly timeZone: string | undefined;
  readonly hour12: boolean;
}

const formats = new Map<string, Intl.DateTimeFormat>();

function format(style: TimeStyle, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const whole = { ...options, ...(style.timeZone !== undefined && { timeZone: style.timeZone }) };
  const key = JSON.stringify([style.locale, whole]);
  const known = formats.get(key) ?? new Intl.DateTimeFormat(style.locale, whole);
  formats.set(key, known);
  return known;
}

/** Formats a time as "09:42" or "9:42 AM". Times are in seconds. */
export function timeOfDay(seconds: number, style: TimeStyle): string {
  const hour = style.hour12 ? 'numeric' : '2-digit';
  return format(style, { hour, minute: '2-digit', hour12: style.hour12 }).format(seconds * 1000);
}

/** Formats a day as "Friday, 20 November", with the year unless it is this year. */
export function longDay(seconds: number, now: number, style: TimeStyle): string {
  const year = yearOf(seconds, style) === yearOf(now, style) ? undefined : ('numeric' as const);
  return format(style, { weekday: 'long', day: 'numeric', month: 'long', ...(year && { year }) }).format(
    seconds * 1000,
  );
}

/** Formats a day as "Today, 23 November" or "Yesterday, 22 November"; earlier days like `longDay`. */
export function dayTitle(seconds: number, now: number, style: TimeStyle): string {
  const age = daysBetween(seconds, now, style);
  if (age !== 0 && age !== 1) return longDay(seconds, now, style);
  const [first = '', ...rest] = relative(style).format(-age, 'day');
  const day = format(style, { day: 'numeric', month: 'long' }).format(seconds * 1000);
  return `${first.toLocaleUpperCase(style.locale)}${rest.join('')}, ${day}`;
}

/**
 * Formats a time of today as the time, of yesterday as "Yesterday", within six days as the weekday, and earlier as the
 * day, with the year unless it is this year.
 */
export function shortDay(seconds: number, now: number, style: TimeStyle): string {
  const age = daysBetween(seconds, now, style);
  if (age === 0) return timeOfDay(seconds, style);
  if (age === 1) return relative(style).format(-1, 'day');
  if (age > 1 && age < 7) return format(style, { weekday: 'long' }).format(seconds * 1000);
  const year = yearOf(seconds, style) === yearOf(now, style) ? undefined : ('numeric' as const);
  return format(style, { day: 'numeric', month: 'long', ...(year && { year }) }).format(seconds * 1000);
}

/** Formats a time as "09:42" today, else with the day in the form of `shortDay`: "Yesterday, 09:42". */
export function lately(seconds: number, now: number, style: TimeStyle): string {
  const time = timeOfDay(seconds, style);
  return daysBetween(seconds, now, style) === 0 ? time : `${shortDay(seconds, now, style)}, ${time}`;
}

/** The whole date and time, for a tooltip. */
export function fullDate(seconds: number, style: TimeStyle): string {
  return format(style, { dateStyle: 'full', timeStyle: 'medium', hour12: style.hour12 }).format(seconds * 1000);
}

/** Formats a time that somebody chose to the minute: "Tuesday, 1 December 2026 at 15:00". */
export function dateAndTime(seconds: number, style: TimeStyle): string {
  const day = { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' } as const;
  const time = { hour: style.hour12 ? 'numeric' : '2-digit', minute: '2-digit', hour12: style.hour12 } as const;
  return format(style, { ...day, ...time }).format(seconds * 1000);
}

/** Returns a key of the day in the reader's zone, equal for all times of one day. */
export function dayKey(seconds: number, style: TimeStyle): string {
  const zone = style.timeZone ?? '';
  const days = daysIn.get(zone) ?? new Map<number, string>();
  daysIn.set(zone, days);
  const quarter = Math.floor(seconds / QUARTER_SECONDS);
  const known = days.get(quarter);
  if (known !== undefined) return known;
  const day = format({ ...style, locale: 'en-CA' }, { dateStyle: 'short' }).format(seconds * 1000);
  if (days.size >= MAX_QUARTERS) days.clear();
  days.set(quarter, day);
  return day;
}

/**
 * Days are cached by quarter of an hour: in every zone a day begins at one, and a feed asks for thousands at each
 * render.
 */
const QUARTER_SECONDS = 900;
const MAX_QUARTERS = 20_000;
const daysIn = new Map<string, Map<number, string>>();

/** Length of a day as a duration, not of a calendar day. */
export const SECONDS_PER_DAY = 86_400;

function daysBetween(seconds: number, now: number, style: TimeStyle): number {
  return Math.round((Date.parse(dayKey(now, style)) - Date.parse(dayKey(seconds, style))) / (SECONDS_PER_DAY * 1000));
}

function yearOf(seconds: number, style: TimeStyle): string {
  return format(style, { year: 'numeric' }).format(seconds * 1000);
}

const relatives = perLocale((locale) => new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }));

function relative({ locale }: TimeStyle): { format: (value: number, unit: 'day') => string } {
  return { format: (value, unit) => capital(relatives(locale).format(value, unit), locale) };
}

function capital(text: string, locale: string): string {
  return text.slice(0, 1).toLocaleUpperCase(locale) + text.slice(1);
}

/** "Mia, Max and Gus". */
export function listOf(names: readonly string[]): string {
  return lists(locale()).format(names);
}

/** Formats a number with separators. */
export function formatNumber(value: number): string {
  return numbers(locale()).format(value);
}

const lists = perLocale((name) => new Intl.ListFormat(name, { type: 'conjunction' }));
const numbers = perLocale((name) => new Intl.NumberFormat(name));

/** Creates a formatter for a locale on first use: the first one of a page takes the browser some 25 ms. */
export function perLocale<Formatter>(create: (locale: string) => Formatter): (locale: string) => Formatter {
  const known = new Map<string, Formatter>();
  return (name) => {
    const formatter = known.get(name) ?? create(name);
    known.set(name, formatter);
    return formatter;
  };
}
