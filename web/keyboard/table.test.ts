import { describe, expect, it } from 'vitest';
import { commandOf, nameOfKey, SHORTCUTS } from './table.ts';

const press = (key: string, more: object = {}) => ({
  key,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  shiftKey: false,
  ...more,
});

describe('keys', () => {
  it('are each bound once', () => {
    const keys = SHORTCUTS.flatMap(({ shortcuts }) => shortcuts.flatMap((one) => one.keys));
    expect(new Set(keys).size).toBe(keys.length);
    const commands = SHORTCUTS.flatMap(({ shortcuts }) => shortcuts.map((one) => one.command));
    expect(new Set(commands).size).toBe(commands.length);
  });

  it('are named as the table writes them', () => {
    expect(nameOfKey(press('k', { ctrlKey: true }))).toBe('Ctrl K');
    expect(nameOfKey(press('k', { metaKey: true }))).toBe('Ctrl K');
    expect(nameOfKey(press('I', { shiftKey: true }))).toBe('Shift I');
    expect(nameOfKey(press('?', { shiftKey: true }))).toBe('?');
    expect(nameOfKey(press('ArrowDown'))).toBe('↓');
  });

  it('do nothing while one types, except those that always work', () => {
    expect(commandOf(press('j'), false)).toBe('down');
    expect(commandOf(press('j'), true)).toBeUndefined();
    expect(commandOf(press('k', { ctrlKey: true }), true)).toBe('palette');
    expect(commandOf(press('j', { ctrlKey: true }), false)).toBeUndefined();
    expect(commandOf(press('z'), false)).toBeUndefined();
  });
});
