import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databases } from '../../test/support/databases.ts';
import { until, WebAccount } from '../../test/support/web.ts';
import { openWorld, type World } from '../../test/support/world.ts';
import { inConversation, Messages } from '../messages/index.ts';
import { Memory } from '../sync/index.ts';
import { EarlierMessages } from './earlier-messages.ts';
import { messageSource } from './source.ts';

describe.each(databases)('messages of an earlier visit on %s', (database) => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld(database);
  });
  afterAll(() => world.close());

  /** Somebody who has written to themselves; `visit` opens the client in the same browser again. */
  async function scene() {
    const ada = await world.user();
    const storage = new Memory();
    const narrow = inConversation({ people: [ada.userId] });
    const write = (content: string) => ada.post('/messages', { type: 'direct', to: [ada.userId], content });
    const visit = async (isOver = () => false) => {
      const account = new WebAccount(world, ada);
      await account.register();
      const { api, clock, model } = account;
      const messages = new Messages(model, messageSource(api));
      const earlier = new EarlierMessages({ storage, clock, model, messages, isOver });
      const window = messages.window(narrow);
      return { account, messages, earlier, window };
    };
    return { ada, storage, write, visit };
  }

  it('are shown before the server has answered, with what is read and starred now', async () => {
    const { ada, write, visit } = await scene();
    const { id } = await write('one');
    const first = await visit();
    const leave = first.earlier.open(first.window, undefined);
    await first.messages.open(first.window, 'newest');
    leave();
    for (const flag of ['read', 'starred']) await ada.post('/messages/flags', { messages: [id], op: 'add', flag });
    const later = await visit();
    later.account.isOffline = true;
    later.earlier.open(later.window, undefined);
    await until(() => later.window.ids.value.length > 0);
    expect(later.window.ids.value).toEqual([id]);
    expect(later.window.isKnown.value).toBe(false);
    expect(later.messages.table.peek(id)?.flags).toEqual(expect.arrayContaining(['read', 'starred']));
  });

  it('are kept after a moment of rest, and not once the session is over', async () => {
    const { storage, write, visit } = await scene();
    await write('one');
    const over = await visit(() => true);
    const leaveOver = over.earlier.open(over.window, undefined);
    await over.messages.open(over.window, 'newest');
    leaveOver();
    expect(await storage.messagesOf(over.window.key)).toBeUndefined();
    const { account, messages, earlier, window } = await visit();
    earlier.open(window, undefined);
    await messages.open(window, 'newest');
    account.clock.pass(5000);
    await new Promise((resolve) => setImmediate(resolve));
    expect((await storage.messagesOf(window.key))?.messages.map(({ content }) => content)).toEqual(['<p>one</p>']);
  });

  it.each([
    ['of the combined feed', [], 1],
    ['of what is starred', [{ operator: 'is', operand: 'starred' }], 0],
  ] as const)(
    '%s are kept only where no deed of the reader decides what belongs to it',
    async (_name, narrow, count) => {
      const { ada, storage, write, visit } = await scene();
      const { id } = await write('one');
      await ada.post('/messages/flags', { messages: [id], op: 'add', flag: 'starred' });
      const { messages, earlier } = await visit();
      const window = messages.window(narrow);
      const leave = earlier.open(window, undefined);
      await messages.open(window, 'newest');
      leave();
      const found = (await storage.messagesOf(window.key))?.messages ?? [];
      expect(found.filter((message) => Number(message.id) === id)).toHaveLength(count);
    },
  );

  it('are left out where one begins at a message that is not among them', async () => {
    const { write, visit } = await scene();
    await write('one');
    const first = await visit();
    const leave = first.earlier.open(first.window, undefined);
    await first.messages.open(first.window, 'newest');
    leave();
    const later = await visit();
    later.earlier.open(later.window, 1_000_000);
    await new Promise((resolve) => setImmediate(resolve));
    expect(later.window.ids.value).toEqual([]);
  });
});
