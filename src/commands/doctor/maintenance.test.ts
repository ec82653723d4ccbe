import { expect, it } from 'vitest';
import { systemClock } from '#kernel/clock';
import { checkNode, maintenanceEnd, maintenanceFinding, POSTGRES_ENDS } from './maintenance.ts';

it('notes a release that gets no corrections any more, and is silent about one that nobody knew', async () => {
  const [before, after] = [systemClock.now() - 86_400, systemClock.now() + 86_400];
  const day = new Date(before * 1000).toISOString().slice(0, 10);
  expect(maintenanceFinding('node', '9', before)).toEqual({
    state: 'note',
    about: 'node',
    says: `9 gets no corrections since ${day}; take a newer release`,
  });
  expect(maintenanceFinding('node', '9', after)).toEqual({ state: 'ok', about: 'node', says: '9' });
  expect(maintenanceFinding('node', '99', undefined)).toEqual({ state: 'ok', about: 'node', says: '99' });
  expect(maintenanceEnd(POSTGRES_ENDS, 15)).toBe(Date.parse('2027-11-11T23:59:59Z') / 1000);
  expect(maintenanceEnd(POSTGRES_ENDS, 99)).toBeUndefined();
  expect(await checkNode()).toEqual([
    expect.objectContaining({ about: 'node', says: expect.stringContaining(process.versions.node) }),
  ]);
});
