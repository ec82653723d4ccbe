import { describe, expect, it } from 'vitest';
import { pieces, t } from './index.ts';

describe('texts by key', () => {
  it('take values by name', () => {
    expect(t('menu.more', { name: 'a {b} $& c' })).toBe('More for a {b} $& c');
  });

  it('keep names from right to left apart, so that signs beside them stay where they belong', () => {
    expect(t('menu.more', { name: 'القناة (1)' })).toBe('More for \u2068القناة (1)\u2069');
    expect(t('menu.more', { name: 'Łukasz' })).toBe('More for Łukasz');
  });

  it('choose between one and many, and write numbers as people do', () => {
    expect(t('banner.waiting', { count: 1 })).toBe('1 message is waiting to be sent.');
    expect(t('banner.waiting', { count: 12_000 })).toBe('12,000 messages are waiting to be sent.');
  });

  it('come in pieces where a name is shown as more than text', () => {
    const mark = Symbol('name');
    expect(pieces('common.remove', { name: mark })).toEqual(['Remove ', mark, '']);
  });
});
