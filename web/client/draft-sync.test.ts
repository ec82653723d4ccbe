import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Client } from '../../test/support/client.ts';
import { databases } from '../../test/support/databases.ts';
import { memoryStorage, until, WebAccount } from '../../test/support/web.ts';
import { openWorld, type World } from '../../test/support/world.ts';
import { keyOf } from '../model/index.ts';
import { DraftSync } from './draft-sync.ts';
import { Drafts } from './drafts.ts';

describe.each(databases)('drafts of several browsers on %s', (database) => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld(database);
  });
  afterAll(() => world.close());

  const toOneself = ({ userId }: Client) => ({ people: [userId] });

  /** A browser of the person; `rest` lets time pass without typing, so that drafts are sent to the server. */
  async function browser(client: Client) {
    const account = new WebAccount(world, client);
    await account.register();
    const { api, clock, model } = account;
    const drafts = new Drafts('1', () => clock.now(), memoryStorage);
    new DraftSync({ api, clock, model, drafts, isLeading: () => true }).start();
    return { account, drafts, rest: () => clock.pass(60_000) };
  }
  const kept = async (client: Client) =>
    (await client.get('/drafts')).drafts.map(({ content }: { content: string }) => content) as string[];

  it('are told once somebody rests, changed in place, and gone with what is sent', async () => {
    const ada = await world.user();
    const nest = toOneself(ada);
    const { drafts, rest, account } = await browser(ada);
    drafts.set(nest, 'hal');
    drafts.set(nest, 'half a');
    rest();
    await until(() => drafts.unsaved.value.length === 0);
    expect(await kept(ada)).toEqual(['half a']);
    await account.catchUp();
    drafts.set(nest, 'half a thought');
    await until(() => {
      rest();
      return drafts.unsaved.value.length === 0;
    });
    expect(await kept(ada)).toEqual(['half a thought']);
    drafts.set(nest, '');
    await until(() => {
      rest();
      return drafts.unsaved.value.length === 0;
    });
    expect(await kept(ada)).toEqual([]);
    expect(drafts.find(keyOf(nest))).toBeUndefined();
  });

  it('come to another browser and go from there, but never over what is being typed', async () => {
    const ada = await world.user();
    const nest = toOneself(ada);
    const [here, there] = [await browser(ada), await browser(ada)];
    here.drafts.set(nest, 'from here');
    here.rest();
    await until(() => here.drafts.unsaved.value.length === 0);
    await there.account.catchUp();
    expect(there.drafts.get(keyOf(nest))).toBe('from here');
    there.drafts.set(nest, 'typed there');
    here.drafts.set(nest, 'typed here');
    there.rest();
    await until(() => there.drafts.unsaved.value.length === 0);
    await here.account.catchUp();
    expect(here.drafts.get(keyOf(nest))).toBe('typed here');
    await until(() => {
      here.rest();
      return here.drafts.unsaved.value.length === 0;
    });
    await there.account.catchUp();
    expect(there.drafts.get(keyOf(nest))).toBe('typed here');
    there.drafts.set(nest, '');
    await until(() => {
      there.rest();
      return there.drafts.unsaved.value.length === 0;
    });
    await here.account.catchUp();
    expect(here.drafts.all.value).toEqual([]);
  });

  it('are made anew when another browser threw them away meanwhile', async () => {
    const ada = await world.user();
    const nest = toOneself(ada);
    const { drafts, rest } = await browser(ada);
    drafts.set(nest, 'one');
    rest();
    await until(() => drafts.unsaved.value.length === 0);
    await ada.delete(`/drafts/${String(drafts.find(keyOf(nest))?.id)}`);
    drafts.set(nest, 'one more');
    await until(() => {
      rest();
      return drafts.unsaved.value.length === 0;
    });
    expect(await kept(ada)).toEqual(['one more']);
  });

  it('stay whole here when they are too long for a message, of which the server keeps the beginning', async () => {
    const ada = await world.user();
    const nest = toOneself(ada);
    const { drafts, rest, account } = await browser(ada);
    const long = 'one word '.repeat(2000).trimEnd();
    drafts.set(nest, long);
    rest();
    await until(() => drafts.unsaved.value.length === 0);
    expect((await kept(ada)).map(({ length }) => length)).toEqual([10_000]);
    await account.catchUp();
    expect(drafts.get(keyOf(nest))).toBe(long);
  });

  it('come from another browser when they have as many characters as a message may have, in twice as many units', async () => {
    const ada = await world.user();
    const nest = toOneself(ada);
    const { drafts, rest, account } = await browser(ada);
    drafts.set(nest, '🦉'.repeat(6000));
    rest();
    await until(() => drafts.unsaved.value.length === 0);
    const id = drafts.find(keyOf(nest))?.id;
    const draft = { type: 'private', to: [ada.userId], topic: '', content: 'an owl' };
    await ada.patch(`/drafts/${String(id)}`, { draft });
    await account.catchUp();
    expect(drafts.get(keyOf(nest))).toBe('an owl');
  });

  it('wait for the network, and stay here where the person wants no copies', async () => {
    const ada = await world.user();
    const nest = toOneself(ada);
    const { drafts, rest, account } = await browser(ada);
    account.isOffline = true;
    drafts.set(nest, 'in the tunnel');
    rest();
    account.isOffline = false;
    await until(() => {
      rest();
      return drafts.unsaved.value.length === 0;
    });
    expect(await kept(ada)).toEqual(['in the tunnel']);
    await ada.patch('/settings', { enable_drafts_synchronization: false });
    await account.catchUp();
    drafts.set(nest, 'mine alone');
    rest();
    expect(account.asked.filter((line) => line.includes('mine alone'))).toEqual([]);
    expect(drafts.get(keyOf(nest))).toBe('mine alone');
  });
});
