import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Parameters } from '../../../test/support/client.ts';
import { databases } from '../../../test/support/databases.ts';
import { openWorld, type World } from '../../../test/support/world.ts';

/** 10,000 characters with the empty list of its recipients; 100 of them are all that one may keep. */
const LONG = 'x'.repeat(9_998);
const LATER = 10_000_000_000;
const refusal = (name: string) => ({
  status: 400,
  body: { msg: `You can have at most 1000 ${name}, with at most 1000000 characters in all.`, code: 'BAD_REQUEST' },
});

describe.each(databases)('what one keeps on %s', (database) => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld(database);
  });
  afterAll(() => world.close());

  const draft = (content: string) => ({ type: '', to: [], topic: '', content, timestamp: 1 });

  it('has room for a number of texts, and for characters of texts and recipients, each person their own (protocol/saved#how-much-one-keeps)', async () => {
    const { max, mia } = world;
    const many = (count: number, content: string) => ({ drafts: Array.from({ length: count }, () => draft(content)) });
    const { ids } = await max.post('/drafts', many(100, LONG));
    expect(await max.request('POST', '/drafts', many(1, 'x'))).toMatchObject(refusal('drafts'));
    const addressed = { ...draft(LONG), type: 'private', to: [mia.userId] };
    expect(await max.request('PATCH', `/drafts/${ids[0]}`, { draft: addressed })).toMatchObject(refusal('drafts'));
    await max.patch(`/drafts/${ids[0]}`, { draft: draft('short') });
    await max.post('/drafts', many(1, 'x'));
    expect(await max.request('PATCH', `/drafts/${ids[0]}`, { draft: draft(LONG) })).toMatchObject(refusal('drafts'));
    for (let round = 0; round < 4; round++) await mia.post('/drafts', many(250, 'x'));
    expect(await mia.request('POST', '/drafts', many(1, 'x'))).toMatchObject(refusal('drafts'));
  });

  it('counts snippets, scheduled messages and reminders, too', async () => {
    const { max } = world;
    const { id: message } = await max.post('/messages', { type: 'direct', to: [max.userId], content: LONG });
    const kinds: Record<string, () => [string, Parameters]> = {
      'saved snippets': () => ['/saved_snippets', { title: 'x', content: LONG }],
      'scheduled messages': () => [
        '/scheduled_messages',
        { type: 'direct', to: [max.userId], content: LONG, scheduled_delivery_timestamp: LATER },
      ],
      reminders: () => [
        '/reminders',
        { message_id: message, note: LONG.slice(0, 1000), scheduled_delivery_timestamp: LATER },
      ],
    };
    for (const [name, request] of Object.entries(kinds)) {
      let kept = 0;
      for (; kept < 150; kept++) {
        const [path, fields] = request();
        const reply = await max.request('POST', path, fields);
        if (reply.status === 200) continue;
        expect(reply).toMatchObject(refusal(name));
        break;
      }
      expect(kept).toBeLessThanOrEqual(100);
    }
  });
});
