import { describe, expect, it } from 'vitest';
import { HandClock } from '../../test/support/web.ts';
import { Notices, NOTICE_MS } from './notices.ts';

async function pass(clock: HandClock, ms: number): Promise<void> {
  clock.pass(ms);
  await Promise.resolve();
  await Promise.resolve();
}

describe('notices', () => {
  const texts = (notices: Notices) => notices.all.value.map(({ text }) => text);

  it('go by themselves, but not while they are held', async () => {
    const clock = new HandClock();
    const notices = new Notices(clock);
    notices.show('one');
    notices.show('two');
    notices.hold(1, true);
    await pass(clock, NOTICE_MS);
    expect(texts(notices)).toEqual(['one']);
    notices.hold(1, false);
    await pass(clock, NOTICE_MS - 1);
    expect(texts(notices)).toEqual(['one']);
    await pass(clock, 1);
    expect(texts(notices)).toEqual([]);
  });

  it('undo the newest that can be undone, once', () => {
    const notices = new Notices(new HandClock());
    const undone: string[] = [];
    notices.show('first', { isError: false, undo: () => undone.push('first') });
    notices.show('second', { isError: false, undo: () => undone.push('second') });
    notices.show('an error');
    expect([notices.undoNewest(), notices.undoNewest(), notices.undoNewest()]).toEqual([true, true, false]);
    expect(undone).toEqual(['second', 'first']);
    expect(texts(notices)).toEqual(['an error']);
  });

  it('replace an older one about the same', () => {
    const notices = new Notices(new HandClock());
    const undone: string[] = [];
    const about = (name: string) => ({ isError: false, about: name, undo: () => undone.push(name) });
    notices.show('mill is muted', about('mill'));
    notices.show('roof is muted', about('roof'));
    notices.show('an error');
    notices.show('mill is no longer muted', about('mill'));
    expect(texts(notices)).toEqual(['roof is muted', 'an error', 'mill is no longer muted']);
    expect([notices.undoNewest(), notices.undoNewest(), notices.undoNewest()]).toEqual([true, true, false]);
    expect(undone).toEqual(['mill', 'roof']);
  });

  it('are there once for each sentence, unless each of them can be undone', () => {
    const notices = new Notices(new HandClock());
    notices.show('refused');
    notices.show('deleted', { isError: false, undo: () => undefined });
    notices.show('deleted', { isError: false, undo: () => undefined });
    notices.show('refused');
    expect(texts(notices)).toEqual(['deleted', 'deleted', 'refused']);
  });

  it('are never more than four', () => {
    const notices = new Notices(new HandClock());
    for (let number = 1; number <= 600; number++) notices.show(String(number));
    expect(texts(notices)).toEqual(['597', '598', '599', '600']);
  });
});
