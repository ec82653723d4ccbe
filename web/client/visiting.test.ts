import { describe, expect, it } from 'vitest';
import { HandClock } from '../../test/support/web.ts';
import { Visiting } from './visiting.ts';

const SECOND = 1000;

/** A page; `looks` are the seconds at which it has polled. */
function page() {
  const clock = new HandClock();
  const began = clock.now();
  const stop = new AbortController();
  const is = { visible: true, away: false, new: false };
  const looks: number[] = [];
  const look = () => {
    looks.push((clock.now() - began) / SECOND);
    return is.away ? Promise.reject(new Error('away')) : Promise.resolve(is.new);
  };
  const visiting = new Visiting({ clock, isVisible: () => is.visible, look });
  const running = visiting.run(stop.signal);
  const settle = async () => {
    for (let turns = 0; turns < 10; turns++) await Promise.resolve();
  };
  const pass = async (seconds: number) => {
    for (let count = 0; count < seconds; count++) {
      clock.pass(SECOND);
      await settle();
    }
  };
  return { is, looks, pass, settle, visiting, end: () => (stop.abort(), running) };
}

describe('a visitor', () => {
  it('is shown what is new after ten seconds, and later where nothing is', async () => {
    const { is, looks, pass, end } = page();
    is.new = true;
    await pass(30);
    expect(looks).toEqual([10, 20, 30]);
    is.new = false;
    await pass(300);
    const gaps = looks.map((at, index) => at - (looks[index - 1] ?? 0));
    expect(gaps.slice(3)).toEqual([10, 15, 23, 34, 51, 60, 60]);
    await end();
  });

  it('asks nothing while the page is hidden, and at once when it is seen again', async () => {
    const { is, looks, pass, settle, visiting, end } = page();
    is.visible = false;
    await pass(3600);
    expect(looks).toEqual([]);
    is.visible = true;
    visiting.wake();
    await settle();
    expect(looks).toEqual([3600]);
    await pass(20);
    expect(looks).toHaveLength(2);
    await end();
  });

  it('leaves a server alone that does not answer', async () => {
    const { is, looks, pass, end } = page();
    is.away = true;
    await pass(3600);
    expect(looks.length).toBeLessThan(20);
    const gaps = looks.map((at, index) => at - (looks[index - 1] ?? 0));
    expect(Math.max(...gaps)).toBe(300);
    await end();
  });
});
