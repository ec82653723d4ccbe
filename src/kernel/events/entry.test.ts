import { expect, it } from 'vitest';
import { asId, type RealmId, type UserId } from '#kernel/ids';
import { str } from '#kernel/schema';
import { Entry } from './entry.ts';
import { event } from './event.ts';
import { PLAIN_VIEW } from './view.ts';

it('entries keep the JSON for several people, of one kind of client when they age, and none for one person', () => {
  let made = 0;
  const said = event({
    type: 'said',
    source: 'protocol/events#own-data',
    payload: { by: str() },
    variesBy: ['apply_markdown'],
    variesByViewer: ['hidden'],
    wire: ({ by }, { hidden }) => {
      made++;
      return [{ by: hidden ? '?' : by }];
    },
  });
  const place = { realm_id: asId<RealmId>(1), id: 1, last_id: 1, size: 10 };
  const entry = new Entry(place, said, { by: 'max' }, { audience: { everyone: true } });
  const viewer = (user_id: number) => ({
    user_id: asId<UserId>(user_id),
    role: 400,
    previous_role: 400,
    role_event_id: 0,
    is_active: true,
    hidden: undefined,
  });
  const limited = { ...viewer(3), hidden: { has: () => true, host: 'roost.test' } };
  const makes = (...viewers: (ReturnType<typeof viewer> | typeof limited)[]) => {
    const before = made;
    const texts = viewers.map((one) => entry.variant(PLAIN_VIEW, one)[0]);
    return [made - before, ...texts];
  };
  const makesHtml = () => {
    const before = made;
    entry.variant({ ...PLAIN_VIEW, apply_markdown: true }, viewer(1));
    return made - before;
  };
  const [shown, hidden] = ['{"type":"said","by":"max"', '{"type":"said","by":"?"'];
  expect(makes(viewer(1), viewer(2))).toEqual([1, shown, shown]);
  expect(makes(limited, limited)).toEqual([2, hidden, hidden]);
  expect([makesHtml(), makesHtml()]).toEqual([1, 0]);
  entry.age();
  expect(makes(viewer(1), viewer(2))).toEqual([0, shown, shown]);
  expect([makesHtml(), makesHtml()]).toEqual([1, 0]);
  expect(makes(viewer(1), viewer(2))).toEqual([1, shown, shown]);
});
