import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '#kernel/store';
import type { Body } from '../support/client.ts';
import { databases } from '../support/databases.ts';
import { plain } from '../support/pictures.ts';
import { least, longestTurnMs } from '../support/processor.ts';
import { openWorld, type World } from '../support/world.ts';

/** Each change of such a list sends all of it to everybody, and stores it: 60 linkifiers of a megabyte ended the process. */
describe.each(databases)('lists of an organization have a bound, on %s', (database) => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld(database);
  });
  afterAll(() => world.close());

  const text = (length: number) => 'x'.repeat(length);
  const template = 'https://x.example/{id}';
  const linkifier = (index: number, more: Body = {}) => ({
    pattern: `T${index}q(?P<id>[0-9]+)`,
    url_template: template,
    ...more,
  });
  const choices = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, i) => [text(900) + i, { text: `c${i}`, order: `${i}` }]));
  const refused = async (method: 'POST' | 'PATCH', path: string, parameters: Body, most: string) => {
    const { msg, status } = await world.adam.refused(method, path, parameters);
    expect([status, msg]).toEqual([400, `An organization can have at most ${most} characters in all.`]);
  };

  it('linkifiers, by characters and by number, also where one is changed', async () => {
    const large = { alternative_url_templates: Array.from({ length: 100 }, () => template + text(1400)) };
    const most = '200 linkifiers, with at most 250000';
    await world.adam.post('/realm/filters', linkifier(0, large));
    await refused('POST', '/realm/filters', linkifier(1, large), most);
    const { id } = await world.adam.post('/realm/filters', linkifier(1));
    await refused('PATCH', `/realm/filters/${id}`, linkifier(1, large), most);
    const row = { realm_id: world.realm.id, url_template: template, alternative_url_templates: '[]' };
    const rows = Array.from({ length: 198 }, (_, i) => ({ ...row, pattern: linkifier(i + 2).pattern, position: i }));
    await world.server.context.store.write((tx) => tx.db.insertInto('realm_linkifier').values(rows).execute());
    await refused('POST', '/realm/filters', linkifier(201), most);
    await world.adam.delete(`/realm/filters/${id}`);
    await world.adam.post('/realm/filters', linkifier(201));
  });

  it('playgrounds', async () => {
    const add = (i: number) => ({
      name: `p${i}`,
      pygments_language: 'x',
      url_template: `https://x.example/{code}?${text(9900)}`,
    });
    for (let i = 0; i < 24; i++) await world.adam.post('/realm/playgrounds', add(i));
    await refused('POST', '/realm/playgrounds', add(25), '200 playgrounds, with at most 250000');
  });

  it('profile fields, also where one is changed', async () => {
    const most = '200 profile fields, with at most 250000';
    const { id } = await world.adam.post('/realm/profile_fields', { name: 'a', field_type: 3, field_data: choices(2) });
    await refused('POST', '/realm/profile_fields', { name: 'b', field_type: 3, field_data: choices(280) }, most);
    await refused('PATCH', `/realm/profile_fields/${id}`, { field_data: choices(280) }, most);
    await world.adam.patch(`/realm/profile_fields/${id}`, { field_data: choices(200) });
  });

  it('groups of default channels, also where one is changed', async () => {
    const most = '200 groups of channels, with at most 250000';
    const group = { realm_id: world.realm.id, description: text(1000) };
    const rows = Array.from({ length: 199 }, (_, i) => ({ ...group, name: `g${i}` }));
    await world.server.context.store.write((tx) => tx.db.insertInto('default_channel_group').values(rows).execute());
    const add = (name: string) => ({ group_name: name, description: '', stream_names: [] });
    await world.adam.post('/default_stream_groups/create', add('last'));
    await refused('POST', '/default_stream_groups/create', add('one more'), most);
    await world.server.context.store.write((tx) =>
      sql`update default_channel_group set description = ${text(1300)} where name <> 'last'`.execute(tx.db),
    );
    const { realm_default_stream_groups: groups } = (await world.adam.register()).state;
    const path = (name: string) => `/default_stream_groups/${groups.find((one: Body) => one['name'] === name).id}`;
    await refused('PATCH', path('last'), { new_description: 'longer' }, most);
    await world.adam.patch(path('g0'), { new_description: 'shorter' });
  });

  it('domains', async () => {
    const row = { realm_id: world.realm.id, allow_subdomains: false };
    const rows = Array.from({ length: 999 }, (_, i) => ({ ...row, domain: `d${i}.example` }));
    await world.server.context.store.write((tx) => tx.db.insertInto('realm_domain').values(rows).execute());
    const add = (domain: string) => ({ domain, allow_subdomains: false });
    await world.olive.post('/realm/domains', add('last.example'));
    const { msg } = await world.olive.refused('POST', '/realm/domains', add('more.example'));
    expect(msg).toBe('An organization can have at most 1000 domains, with at most 250000 characters in all.');
  });

  it('folders of channels, archived ones too, also where one is changed', async () => {
    const most = '1000 channel folders, with at most 250000';
    const folder = { name: 'a', description: '**x** '.repeat(170) };
    const { channel_folder_id: id } = await world.adam.post('/channel_folders/create', folder);
    const row = { realm_id: world.realm.id, rendered_description: '', creator_id: null };
    const more = { ...row, description: '', position: 9, date_created: 0, is_archived: true };
    const rows = Array.from({ length: 998 }, (_, i) => ({ ...more, name: `f${i}`, name_key: `f${i}` }));
    await world.server.context.store.write((tx) => tx.db.insertInto('channel_folder').values(rows).execute());
    await world.adam.post('/channel_folders/create', { name: 'last', description: '' });
    await refused('POST', '/channel_folders/create', { name: 'more', description: '' }, most);
    await world.server.context.store.write((tx) =>
      sql`update channel_folder set description = ${text(150)} where is_archived`.execute(tx.db),
    );
    await refused('PATCH', `/channel_folders/${id}`, { description: `${folder.description}.` }, most);
    await world.adam.patch(`/channel_folders/${id}`, { description: 'shorter', is_archived: true });
  });

  it('but one that an import brought beyond it can be made smaller', async () => {
    const { store } = world.server.context;
    const templates = (length: number) => Array.from({ length: 20 }, () => template + text(length));
    const row = { url_template: template, alternative_url_templates: JSON.stringify(templates(1400)) };
    const rows = Array.from({ length: 10 }, (_, i) => ({
      ...row,
      realm_id: world.realm.id,
      pattern: `I${i}`,
      position: 500 + i,
    }));
    await store.write((tx) => tx.db.insertInto('realm_linkifier').values(rows).execute());
    const { id } = (await world.adam.get('/realm/linkifiers'))['linkifiers'].at(-1);
    const change = (length: number) => linkifier(500, { alternative_url_templates: templates(length) });
    await refused('PATCH', `/realm/filters/${id}`, change(1401), '200 linkifiers, with at most 250000');
    await world.adam.patch(`/realm/filters/${id}`, change(1300));
  });

  it('emoji', async () => {
    const row = { realm_id: world.realm.id, author_id: null, still_name: null, deactivated: true };
    const rows = Array.from({ length: 1000 }, (_, i) => ({ ...row, name: `e${i}`, file_name: `${i}.png` }));
    for (let part = 0; part < 5; part++)
      await world.server.context.store.write((tx) => tx.db.insertInto('realm_emoji').values(rows).execute());
    const content = await plain(20, 20).png().toBuffer();
    const { status, body } = await world.max.send('POST', '/realm/emoji/more', [{ name: 'x.png', content }]);
    expect([status, body['msg']]).toEqual([
      400,
      'An organization can have at most 5000 emoji, with at most 2000000 characters in all.',
    ]);
  });

  it('permissions, by who is named in them', async () => {
    const direct_members = Array.from({ length: 101 }, (_, i) => i + 1);
    const setting = { direct_members, direct_subgroups: [] };
    const channel = { subscriptions: [{ name: 'named' }], can_send_message_group: setting };
    expect((await world.max.refused('POST', '/users/me/subscriptions', channel)).msg).toMatch(/too long/);
  });

  it('patterns, which are made ready in turns, 200 of them and as many as are not too large together', async () => {
    const { store } = world.server.context;
    await store.write((tx) => tx.db.deleteFrom('realm_linkifier').execute());
    const row = { realm_id: world.realm.id, url_template: template, alternative_url_templates: '[]' };
    const rows = Array.from({ length: 200 }, (_, i) => ({
      ...row,
      pattern: `T${i}q(?P<id>[\\pL\\pN]{1,60}(?:a|b|c|d)*)`,
      position: i,
    }));
    await store.write((tx) => tx.db.insertInto('realm_linkifier').values(rows).execute());
    const shown = async (content: string) => (await world.max.post('/messages/render', { content }))['rendered'];
    const cost = await least(50, async () => {
      // The last is the first now, and what is cached has ended.
      const ids = (await world.adam.get('/realm/linkifiers'))['linkifiers'].map(({ id }: Body) => id);
      await world.adam.patch('/realm/linkifiers', { ordered_linkifier_ids: ids.toReversed() });
      return longestTurnMs(() => shown('T199q77'));
    });
    expect(cost).toBeLessThan(50);
    expect(await shown('T199q77 and T3q77')).toBe('<p><a href="https://x.example/77">T199q77</a> and T3q77</p>');
  });
});
