import { describe, expect, it } from 'vitest';
import { dateAndTime, dayKey, lately, longDay, shortDay, timeOfDay } from './dates.ts';

const style = { locale: 'en-GB', timeZone: 'Europe/Berlin', hour12: false };
const seconds = (text: string) => Date.parse(text) / 1000;
const now = seconds('2026-11-22T12:00:00Z');

describe('dates', () => {
  it('are told in the reader’s zone and hours', () => {
    const time = seconds('2026-11-22T08:05:00Z');
    expect(timeOfDay(time, style)).toBe('09:05');
    expect(timeOfDay(time, { ...style, locale: 'en-US', hour12: true })).toBe('9:05 AM');
  });

  it.each([
    ['2026-11-22T00:30:00Z', '01:30'],
    ['2026-11-21T22:59:00Z', 'Yesterday'],
    ['2026-11-21T23:01:00Z', '00:01'],
    ['2026-11-20T12:00:00Z', 'Friday'],
    ['2026-11-15T12:00:00Z', '15 November'],
    ['2025-03-02T12:00:00Z', '2 March 2025'],
  ])('%s is short enough for a list: %s', (time, text) => {
    expect(shortDay(seconds(time), now, style)).toBe(text);
  });

  it.each([
    ['2026-11-22T00:30:00Z', '01:30'],
    ['2026-11-21T13:02:00Z', 'Yesterday, 14:02'],
    ['2026-11-15T12:00:00Z', '15 November, 13:00'],
  ])('%s happened lately: %s', (time, text) => {
    expect(lately(seconds(time), now, style)).toBe(text);
  });

  it('name a day with its weekday, and the year when it is another', () => {
    expect(longDay(seconds('2026-11-20T12:00:00Z'), now, style)).toMatch(/^Friday,? 20 November$/);
    expect(longDay(seconds('2025-11-20T12:00:00Z'), now, style)).toMatch(/^Thursday,? 20 November 2025$/);
  });

  it('tell a time that somebody has named by the minute, in the reader’s zone and hours', () => {
    const time = seconds('2026-12-01T14:00:30Z');
    expect(dateAndTime(time, style)).toMatch(/^Tuesday,? 1 December 2026 at 15:00$/);
    expect(dateAndTime(time, { ...style, hour12: true })).toMatch(/^Tuesday,? 1 December 2026 at 3:00\spm$/);
  });

  it('begin a day at midnight of the reader', () => {
    expect(dayKey(seconds('2026-11-21T23:01:00Z'), style)).toBe('2026-11-22');
    expect(dayKey(seconds('2026-11-21T22:59:00Z'), style)).toBe('2026-11-21');
    // Times of one quarter of an hour have one answer, each zone its own.
    expect(dayKey(seconds('2026-11-21T18:16:00Z'), { ...style, timeZone: 'Asia/Kathmandu' })).toBe('2026-11-22');
    expect(dayKey(seconds('2026-11-21T18:14:00Z'), { ...style, timeZone: 'Asia/Kathmandu' })).toBe('2026-11-21');
  });
});
