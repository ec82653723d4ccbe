import { describe, expect, it } from 'vitest';
import { keyOf } from '../model/index.ts';
import { Drafts } from './drafts.ts';

const key = keyOf({ channelId: 1, topic: 'nest' });

function shelf() {
  const kept = new Map<string, string>();
  return {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, text: string) => void kept.set(name, text),
    removeItem: (name: string) => void kept.delete(name),
  };
}

describe('drafts', () => {
  it('take what is inserted after what was typed', () => {
    const storage = shelf();
    const drafts = new Drafts('1-2', () => storage);
    drafts.insert(key, 'a quote');
    drafts.insert(key, 'another');
    expect(drafts.get(key)).toBe('a quote\n\nanother');
    expect(new Drafts('1-3', () => storage).get(key)).toBe('');
  });

  it('leave inserting to the composer that is open', () => {
    const drafts = new Drafts('1-2', shelf);
    const told: string[] = [];
    const stop = drafts.compose(key, (text) => told.push(text));
    drafts.insert(key, 'a quote');
    expect(told).toEqual(['a quote']);
    stop();
    drafts.insert(key, 'later');
    expect(told).toEqual(['a quote']);
  });
});
