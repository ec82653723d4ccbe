import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databases } from '../../test/support/databases.ts';
import { until, WebAccount } from '../../test/support/web.ts';
import { openWorld, type World } from '../../test/support/world.ts';
import { keyOf } from '../model/index.ts';
import { OwnTyping } from './own-typing.ts';
import { PresencePings } from './presence-pings.ts';

describe.each(databases)('being there, on %s', (database) => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld(database);
  });
  afterAll(() => world.close());

  async function person() {
    const client = await world.user();
    const account = new WebAccount(world, client);
    await account.register();
    return { account, client, id: client.userId };
  }

  it('is told to others: active in sight and used, idle without a key for five minutes, active again at the next', async () => {
    const [ada, ben] = [await person(), await person()];
    const { api, clock, model } = ada.account;
    const pings = new PresencePings({ api, clock, model, isVisible: () => true, isLeading: () => true });
    const said = () => ada.account.asked.flatMap((line) => /status=(\w+)/.exec(line)?.[1] ?? []);
    const stop = new AbortController();
    const running = pings.run(stop.signal);
    await until(() => said().length === 1);
    await ben.account.catchUp();
    ben.account.model.presences.tick(Date.now() / 1000);
    expect(ben.account.model.presences.table.peek(ada.id)?.active_timestamp).toBeGreaterThan(0);
    clock.pass(6 * 60_000);
    await until(() => said().length === 2);
    pings.used();
    await until(() => said().length === 3);
    expect(said()).toEqual(['active', 'idle', 'active']);
    stop.abort();
    await running;
  });

  it('is told by one tab while none is in sight', async () => {
    const { account } = await person();
    const { api, clock, model } = account;
    const hidden = { api, clock, model, isVisible: () => false };
    await new PresencePings({ ...hidden, isLeading: () => false }).ping();
    expect(account.asked.filter((line) => line.includes('/me/presence'))).toEqual([]);
    await new PresencePings({ ...hidden, isLeading: () => true }).ping();
    expect(account.asked.at(-1)).toContain('status=idle');
  });

  it('shows others that one types, again after half a minute, and that one stopped', async () => {
    const [ada, ben] = [await person(), await person()];
    const { api, clock, model, asked } = ada.account;
    const typing = new OwnTyping(api, clock, model);
    const conversation = { people: [ada.id, ben.id].toSorted((a, b) => a - b) };
    const typed = () => asked.flatMap((line) => /op=(\w+)/.exec(line)?.[1] ?? []);
    typing.typed(conversation);
    typing.typed(conversation);
    await until(() => typed().length === 1);
    await ben.account.catchUp();
    expect(ben.account.model.typing.in(keyOf(conversation))).toEqual([ada.id]);
    for (let seconds = 0; seconds < 35; seconds += 5) {
      clock.pass(5000);
      typing.typed(conversation);
    }
    clock.pass(12_000);
    await until(() => typed().length === 3);
    expect(typed()).toEqual(['start', 'start', 'stop']);
    await ben.account.catchUp();
    expect(ben.account.model.typing.in(keyOf(conversation))).toEqual([]);
  });

  it('gives up a notice that gets no reply for three seconds, so that others learn that one stopped', async () => {
    const [ada, ben] = [await person(), await person()];
    const { api, clock, model, asked } = ada.account;
    const typing = new OwnTyping(api, clock, model);
    ada.account.isHanging = true;
    typing.typed({ people: [ada.id, ben.id].toSorted((a, b) => a - b) });
    await until(() => ada.account.hung === 1);
    ada.account.isHanging = false;
    typing.stopped();
    const told = () => asked.flatMap((line) => /op=(\w+)/.exec(line)?.[1] ?? []);
    clock.pass(2900);
    expect(told()).toEqual([]);
    clock.pass(100);
    await until(() => told().length === 1);
    expect(told()).toEqual(['stop']);
  });

  it('tells nothing of typing where the person does not want it, or to oneself', async () => {
    const { account, client, id } = await person();
    const typing = new OwnTyping(account.api, account.clock, account.model);
    typing.typed({ people: [id] });
    await client.patch('/settings', { send_stream_typing_notifications: false });
    await account.catchUp();
    typing.typed({ channelId: 1, topic: 'nest' });
    expect(account.asked.filter((line) => line.includes('/v1/typing'))).toEqual([]);
  });
});
