import { describe, expect, it } from 'vitest';
import { memoryStorage } from '../../test/support/web.ts';
import { keyOf } from '../model/index.ts';
import { Drafts } from './drafts.ts';

const nest = { channelId: 1, topic: 'Nest' };
const key = keyOf(nest);
const now = () => 1;

describe('drafts', () => {
  it('take what is inserted after what was typed, and are there at the next visit', () => {
    const storage = memoryStorage();
    const drafts = new Drafts('1-2', now, () => storage);
    drafts.insert(nest, 'a quote');
    drafts.insert(nest, 'another');
    expect(drafts.get(key)).toBe('a quote\n\nanother');
    const later = new Drafts('1-2', now, () => storage);
    expect(later.all.value).toMatchObject([{ conversation: nest, text: 'a quote\n\nanother', isNew: true }]);
    expect(new Drafts('1-3', now, () => storage).get(key)).toBe('');
  });

  it('leave inserting to the composer that is open', () => {
    const storage = memoryStorage();
    const drafts = new Drafts('1-2', now, () => storage);
    const told: string[] = [];
    const stop = drafts.compose(key, { insert: (text) => told.push(text) });
    drafts.insert(nest, 'a quote');
    expect(told).toEqual(['a quote']);
    stop();
    drafts.insert(nest, 'later');
    expect(told).toEqual(['a quote']);
  });

  it('give the focus to the composer that is open, or to the next one if it is that of the conversation', () => {
    const drafts = new Drafts('1-2', now, memoryStorage);
    const entered: string[] = [];
    const open = (name: string) =>
      drafts.compose(keyOf({ channelId: 1, topic: name }), {
        insert: () => undefined,
        enter: () => entered.push(name),
      });
    expect(drafts.enter(nest)).toBe(false);
    open('Other');
    open('Nest');
    expect(entered).toEqual([]);
    expect(drafts.enter(nest)).toBe(true);
    expect(entered).toEqual(['Nest']);
    drafts.enterNext(nest);
    open('Nest');
    open('Nest');
    expect(entered).toEqual(['Nest', 'Nest']);
  });

  it('go along with a topic that is called something else, also out of an open composer', () => {
    const drafts = new Drafts('1-2', now, memoryStorage);
    const there = { channelId: 1, topic: '✔ Nest' };
    drafts.set(nest, 'kept');
    drafts.move(nest, there);
    expect([drafts.get(key), drafts.get(keyOf(there))]).toEqual(['', 'kept']);
    drafts.compose(keyOf(there), { insert: () => undefined, take: () => 'typed just now' });
    drafts.move(there, nest);
    expect([drafts.get(key), drafts.get(keyOf(there))]).toEqual(['typed just now', '']);
  });

  it('go along with the focus of the composer in which one is typing, and of no other', () => {
    const drafts = new Drafts('1-2', now, memoryStorage);
    const entered: string[] = [];
    const open = (topic: string, isEntered: boolean) => {
      const enter = () => entered.push(topic);
      const editor = { insert: () => undefined, take: () => 'half a', enter, isEntered: () => isEntered };
      return drafts.compose(keyOf({ channelId: 1, topic }), editor);
    };
    open('Nest', true)();
    open('Nest', true);
    drafts.move(nest, { channelId: 1, topic: 'Nests' });
    open('Nests', false);
    drafts.move({ channelId: 1, topic: 'Nests' }, { channelId: 1, topic: 'Eggs' });
    open('Eggs', false);
    expect(entered).toEqual(['Nests']);
  });

  it('show in an open composer what another tab has typed', () => {
    const storage = memoryStorage();
    const [one, other] = [new Drafts('1-2', now, () => storage), new Drafts('1-2', now, () => storage)];
    const shown: string[] = [];
    other.compose(key, { insert: () => undefined, replace: (text) => shown.push(text) });
    one.set(nest, 'half a');
    other.changed(`roost-draft-1-2-${key}`);
    one.set(nest, '');
    other.changed(`roost-draft-1-2-${key}`);
    other.changed('something else');
    expect(shown).toEqual(['half a', '']);
  });

  it('hold what is not understood in the storage for nothing', () => {
    const storage = memoryStorage();
    for (const text of ['no json', '{"text":1}', 'null', '{"text":"a"}']) storage.setItem('roost-draft-1-2-x', text);
    expect(new Drafts('1-2', now, () => storage).all.value).toEqual([]);
  });

  it('live as long as the page where the browser stores nothing', () => {
    const drafts = new Drafts('1-2', now, () => {
      throw new Error('storage is off');
    });
    drafts.set(nest, 'words');
    expect(drafts.get(key)).toBe('words');
  });
});
