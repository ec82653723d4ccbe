import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { TestClock } from '#kernel/clock';
import { type Answering, json, LIES, Services, xml } from '../../../test/support/call-services.ts';
import type { Client } from '../../../test/support/client.ts';
import { databases } from '../../../test/support/databases.ts';
import { openWorld, type World } from '../../../test/support/world.ts';

const TOKEN = json(200, { access_token: 'of zoom', token_type: 'bearer', expires_in: 3599 });
const BBB_MADE = xml(
  '<returncode>SUCCESS</returncode>',
  '<createTime>1531155809613</createTime>',
  '<messageKey></messageKey>',
);

describe.each(databases)('calls on %s', (database) => {
  const services = new Services();
  const clock = new TestClock();
  let world: World;
  let host: string;
  beforeAll(async () => {
    host = await services.open();
    world = await openWorld(database, {
      clock,
      environment: {
        ROOST_ZOOM_URL: `http://client:sec%2Fret@${host}/account`,
        ROOST_BIGBLUEBUTTON_URL: `http://:bbb-secret@${host}/bigbluebutton/`,
        ROOST_CONSTRUCTOR_GROUPS_URL: `http://access:secret@${host}/xapi`,
        ROOST_NEXTCLOUD_TALK_URL: `http://talker:pass@${host}`,
      },
    });
  });
  beforeEach(() => {
    services.asked.splice(0);
    services.answers = {};
    // Tokens that earlier tests were given have ended.
    clock.advance(2 * 60 * 60 * 1000);
  });
  afterAll(async () => {
    await world.close();
    await services.close();
  });
  const meetings = () => `/v2/users/${encodeURIComponent('member@roost.test')}/meetings`;

  it('are offered by the services that are configured, which an organization may choose (protocol/organizations#calls)', async () => {
    const { state } = await world.adam.register();
    expect(state['realm_available_video_chat_providers']).toEqual({
      disabled: { name: 'None', id: 0 },
      jitsi_meet: { name: 'Jitsi Meet', id: 1 },
      big_blue_button: { name: 'BigBlueButton', id: 4 },
      zoom_server_to_server: { name: 'Zoom', id: 5 },
      constructor_groups: { name: 'Constructor Groups', id: 6 },
      nextcloud_talk: { name: 'Nextcloud Talk', id: 7 },
    });
    for (const id of [4, 5, 6, 7, 1]) await world.adam.patch('/realm', { video_chat_provider: id });
    for (const id of [2, 3, 8])
      expect((await world.adam.refused('PATCH', '/realm', { video_chat_provider: id })).msg).toBe(
        `Invalid video_chat_provider ${id}`,
      );
  });

  it('by Zoom are meetings of the caller, and one token serves many (protocol/organizations#calls)', async () => {
    services.answers = { '/oauth/token': TOKEN, [meetings()]: json(201, { join_url: 'https://zoom.test/j/1?pwd=x' }) };
    const call = () => world.max.post('/calls/zoom/create', { is_video_call: false });
    expect((await call())['url']).toBe('https://zoom.test/j/1?pwd=x');
    expect((await call())['url']).toBe('https://zoom.test/j/1?pwd=x');
    expect(services.asked.map(({ method, url }) => `${method} ${url}`)).toEqual([
      'POST /oauth/token',
      `POST ${meetings()}`,
      `POST ${meetings()}`,
    ]);
    const [token, meeting] = services.asked;
    expect(token).toMatchObject({
      authorization: `Basic ${Buffer.from('client:sec/ret').toString('base64')}`,
      body: 'grant_type=account_credentials&account_id=account',
    });
    expect(meeting?.authorization).toBe('Bearer of zoom');
    expect(JSON.parse(meeting?.body ?? '')).toEqual({
      settings: { host_video: false, participant_video: false },
      default_password: true,
    });
    clock.advance(3599 * 1000);
    await call();
    expect(services.asked.map(({ url }) => url).slice(3)).toEqual(['/oauth/token', meetings()]);
  });

  it('by Zoom take a new token when the old one does not count any more, once', async () => {
    services.answers = { '/oauth/token': TOKEN, [meetings()]: json(201, { join_url: 'https://zoom.test/j/1' }) };
    await world.max.post('/calls/zoom/create');
    services.answers[meetings()] = json(401, { code: 124, message: 'Access token is expired.' });
    services.asked.splice(0);
    expect((await world.max.refused('POST', '/calls/zoom/create')).msg).toBe('Failed to create Zoom call');
    expect(services.asked.map(({ url }) => url)).toEqual([meetings(), '/oauth/token', meetings()]);
    services.answers[meetings()] = json(201, { join_url: 'https://zoom.test/j/2' });
    expect((await world.max.post('/calls/zoom/create'))['url']).toBe('https://zoom.test/j/2');
  });

  it('by Zoom say that Zoom does not know the caller, and that the credentials are wrong', async () => {
    services.answers = {
      '/oauth/token': TOKEN,
      [meetings()]: json(404, { code: 1001, message: 'User does not exist' }),
    };
    const unknown = await world.max.refused('POST', '/calls/zoom/create');
    expect(unknown).toMatchObject({ status: 400, code: 'UNKNOWN_ZOOM_USER', msg: 'Unknown Zoom user email' });
    clock.advance(2 * 60 * 60 * 1000);
    services.answers = { '/oauth/token': json(400, { reason: 'Invalid client_id or client_secret' }) };
    expect((await world.max.refused('POST', '/calls/zoom/create')).msg).toBe('Invalid Zoom credentials');
  });

  it('by Constructor Groups are in the own room of the caller', async () => {
    services.answers = { '/xapi/room/default': json(200, { url: 'https://groups.test/r/9' }) };
    expect((await world.max.post('/calls/constructorgroups/create'))['url']).toBe('https://groups.test/r/9');
    const proof = createHash('sha256').update('access|secret').digest('hex');
    expect(services.asked).toMatchObject([{ method: 'POST', authorization: `Bearer access|${proof}` }]);
    expect(JSON.parse(services.asked[0]?.body ?? '')).toEqual({
      creator_email: 'member@roost.test',
      name: "Max Member's room",
      fallback_name: `Max Member's room (${world.realm.id}-${world.max.userId})`,
    });
  });

  it('by Nextcloud Talk are in a new room', async () => {
    const path = '/ocs/v2.php/apps/spreed/api/v4/room';
    services.answers = { [path]: json(201, { ocs: { meta: { statuscode: 201 }, data: { token: 'k3y', type: 3 } } }) };
    const { url } = await world.max.post('/calls/nextcloud_talk/create', { room_name: 'owls > nests' });
    expect(url).toBe(`http://${host}/index.php/call/k3y`);
    expect(services.asked).toEqual([
      {
        method: 'POST',
        url: path,
        authorization: `Basic ${Buffer.from('talker:pass').toString('base64')}`,
        body: JSON.stringify({ roomType: 3, roomName: 'owls > nests' }),
      },
    ]);
  });

  describe('by BigBlueButton', () => {
    const open = (who: Client, url: string, isKnown = true) =>
      world.server.listener.inject({
        method: 'GET',
        url,
        headers: { host: 'localhost:9991', ...(isKnown && { authorization: who.authorization }) },
      });
    const make = async (fields = {}) =>
      (await world.max.get('/calls/bigbluebutton/create', { meeting_name: 'owls & nests', ...fields }))[
        'url'
      ] as string;
    const sign = (call: string, query: string) =>
      createHash('sha256').update(`${call}${query}bbb-secret`).digest('hex');

    it('are made when somebody opens their address, who goes on under the own name', async () => {
      services.answers = { '/bigbluebutton/api/create': BBB_MADE };
      const url = await make({ voice_only: true });
      expect(url).toMatch(/^\/calls\/bigbluebutton\/join\?bigbluebutton=/);
      expect(services.asked).toEqual([]);
      for (const [who, role, fullName] of [
        [world.max, 'MODERATOR', 'Max%20Member'],
        [world.mia, 'VIEWER', 'Mia%20Member'],
      ] as const) {
        services.asked.splice(0);
        const { statusCode, headers } = await open(who, url);
        const [path, query = ''] = services.asked[0]?.url.split('?') ?? [];
        expect(path).toBe('/bigbluebutton/api/create');
        const [, facts = '', id = '', checksum] = /^(meetingID=(.*)&name=.*)&checksum=(\w+)$/.exec(query) ?? [];
        expect(facts).toBe(`meetingID=${id}&name=owls%20%26%20nests&lockSettingsDisableCam=true`);
        expect(checksum).toBe(sign('create', facts));
        const joining = `meetingID=${id}&role=${role}&fullName=${fullName}&createTime=1531155809613`;
        expect([statusCode, headers['location']]).toEqual([
          303,
          `http://${host}/bigbluebutton/api/join?${joining}&checksum=${sign('join', joining)}`,
        ]);
      }
      expect((await make()).split('.')[0]).not.toBe(url.split('.')[0]);
    });

    it('are for people who are logged in, by addresses of this server as they are', async () => {
      const url = await make();
      const stranger = await open(world.max, url, false);
      expect([stranger.statusCode, stranger.headers['location']]).toEqual([
        303,
        `/login/?next=${encodeURIComponent(url)}`,
      ]);
      const [path = '', text = '', signature = ''] = url.split(/[=.]/);
      const other = Buffer.from(JSON.stringify({ id: 'theirs' })).toString('base64url');
      for (const changed of ['', 'x', `${other}.${signature}`, `${text}.`, `${text}.${signature}x`, `.${signature}`]) {
        const refused = await open(world.max, `${path}=${changed}`);
        expect([changed, refused.statusCode]).toEqual([changed, 400]);
        expect(refused.payload).toContain('Invalid signature.');
      }
      expect(services.asked).toEqual([]);
    });

    const ODD = 'BigBlueButton server returned an unexpected error.';
    const AWAY = 'Error connecting to the BigBlueButton server.';
    it.each([
      ...Object.entries(LIES).map(
        ([title, answer]) =>
          [title, answer, ['a gigabyte', 'half', 'a redirect'].includes(title) ? AWAY : ODD] as const,
      ),
      [
        'a wrong checksum',
        xml('<returncode>FAILED</returncode>', '<messageKey>checksumError</messageKey>'),
        'Error authenticating to the BigBlueButton server.',
      ],
      ['no time', xml('<returncode>SUCCESS</returncode>', '<createTime>1&amp;role=MODERATOR</createTime>'), ODD],
    ] as const)('end with a page that says so when the service answers %s', async (_title, answer, fault) => {
      services.answers = { '/bigbluebutton/api/create': answer };
      const reply = await open(world.max, await make());
      expect(reply.statusCode).toBe(502);
      expect(reply.payload).toContain(fault);
      expect(reply.payload).not.toContain('bbb-secret');
    });
  });

  const others = [
    ['zoom', {}, 'Failed to create Zoom call'],
    ['constructorgroups', {}, 'Failed to create Constructor Groups call'],
    ['nextcloud_talk', { room_name: 'owls' }, 'Failed to create Nextcloud Talk call'],
  ] as const;
  const everywhere = (answer: Answering) => ({
    '/oauth/token': answer,
    '/xapi/room/default': answer,
    '/ocs/v2.php/apps/spreed/api/v4/room': answer,
    [meetings()]: answer,
  });

  describe.each(others)('by %s', (service, fields, msg) => {
    it.each(Object.entries(LIES))('fail with one clear line when the service answers %s', async (_title, answer) => {
      services.answers = everywhere(answer);
      expect((await world.max.refused('POST', `/calls/${service}/create`, { ...fields })).msg).toBe(msg);
      services.answers['/oauth/token'] = TOKEN;
      expect((await world.max.refused('POST', `/calls/${service}/create`, { ...fields })).msg).toBe(msg);
    });

    it('fail after ten seconds when the service hangs', async () => {
      services.answers = everywhere(() => undefined);
      const refused = world.max.refused('POST', `/calls/${service}/create`, { ...fields });
      while (services.asked.length === 0) await new Promise(setImmediate);
      clock.advance(10_001);
      expect((await refused).msg).toBe(msg);
    });
  });

  it('want the name of a meeting first', async () => {
    const { max } = world;
    expect((await max.refused('GET', '/calls/bigbluebutton/create')).msg).toBe("Missing 'meeting_name' argument");
    expect((await max.refused('POST', '/calls/nextcloud_talk/create')).msg).toBe("Missing 'room_name' argument");
  });
});

describe.each(databases)('calls without services on %s', (database) => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld(database);
  });
  afterAll(() => world.close());

  it.each([
    ['POST', '/calls/zoom/create', { is_video_call: false }, 'Zoom credentials have not been configured'],
    ['GET', '/calls/bigbluebutton/create', { meeting_name: 'owls' }, 'BigBlueButton is not configured.'],
    ['POST', '/calls/constructorgroups/create', {}, 'Constructor Groups is not configured.'],
    ['POST', '/calls/nextcloud_talk/create', { room_name: 'owls' }, 'Nextcloud Talk is not configured.'],
  ] as const)(
    'say that the service is not configured: %s %s (protocol/organizations#calls)',
    async (method, path, parameters, msg) => {
      expect((await world.max.refused(method, path, { ...parameters })).msg).toBe(msg);
    },
  );

  it('are not offered by them', async () => {
    for (const id of [4, 5, 6, 7])
      expect((await world.adam.refused('PATCH', '/realm', { video_chat_provider: id })).msg).toBe(
        `Invalid video_chat_provider ${id}`,
      );
  });
});
