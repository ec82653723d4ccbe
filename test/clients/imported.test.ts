import { execFile } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Schema } from '#kernel/schema';
import { folderWith } from '../moving/support/folder.ts';
import type { Contents } from '../moving/support/imported.ts';
import { mattermostArchive } from '../moving/support/mattermost.ts';
import { mboxArchive } from '../moving/support/mbox.ts';
import { dumpOf, rocketChatRecords } from '../moving/support/rocketchat.ts';
import type { Body } from '../support/client.ts';
import { type DatabaseName, databasesInTurn, makeDatabase, type TestDatabase } from '../support/databases.ts';
import { plain } from '../support/pictures.ts';
import { call, demoAccount, freePort, runCommand, type ServerProcess, startProcess } from '../support/process.ts';
import { PYTHON_CLIENTS, pythonWith } from '../support/python.ts';
import { hasTerminals, Terminal } from '../support/terminal.ts';
import { zulip as zulipJs } from '../support/zulip-js.ts';
import { EVENTS } from './mobile/events.ts';
import { REPLIES } from './mobile/routes.ts';
import { REGISTERING, snapshot } from './mobile/snapshot.ts';

const run = promisify(execFile);
const PROGRAM = fileURLToPath(new URL('imported.py', import.meta.url));
const picture = await plain(64, 64).png().toBuffer();
const programs = await pythonWith(PYTHON_CLIENTS);

const slack: Contents = {
  'users.json': [{ id: 'U1', profile: { real_name: 'Wanda Wren', email: 'wanda@birds.test' } }],
  'channels.json': [{ id: 'C1', name: 'nests', members: ['U1'] }],
  'nests/2024-05-01.json': [{ type: 'message', user: 'U1', ts: '1714550400.5', text: '*hi* <@U1>' }],
};
const zulip: Contents = {
  'realm.json': {
    zerver_realm: [{ id: 1, name: 'Birds' }],
    zerver_userprofile: [{ id: 1, delivery_email: 'wanda@birds.test', full_name: 'Wanda Wren' }],
    zerver_stream: [{ id: 1, name: 'nests' }],
    zerver_recipient: [{ id: 1, type: 2, type_id: 1 }],
    zerver_subscription: [{ id: 1, user_profile: 1, recipient: 1, active: true }],
  },
  'messages-000001.json': {
    zerver_message: [{ id: 1, sender: 1, recipient: 1, subject: 'eggs', content: 'three', date_sent: 1_700_000_000 }],
  },
};

/** An archive, somebody in it, and what they see in it. */
interface Arriving {
  readonly from: string;
  readonly folder: (database: DatabaseName) => Promise<string>;
  readonly who: string;
  readonly topic: string;
  readonly content: string;
  readonly onScreen: RegExp;
  readonly unread: unknown;
}

const archive = (from: string, contents: Contents, topic: string, content: string, onScreen: RegExp): Arriving => ({
  from,
  folder: () => Promise.resolve(folderWith(contents)),
  who: 'wanda@birds.test',
  topic,
  content,
  onScreen,
  unread: 0,
});

/** The demo, which has something of nearly everything, exported by the command. */
async function exportedDemo(name: DatabaseName): Promise<string> {
  const database = await makeDatabase(name);
  const folder = folderWith({});
  try {
    await (await startProcess(database, 0)).kill('SIGTERM');
    await runCommand(database, ['export', folder]);
  } finally {
    await database.remove();
  }
  return folder;
}

const ARRIVING: readonly (readonly [string, Arriving])[] = [
  ['an archive of an established server', archive('zulip', zulip, 'eggs', 'three', /▒ three/)],
  [
    'the export of a server of this build',
    {
      from: 'zulip',
      folder: exportedDemo,
      who: 'member@roost.test',
      topic: 'welcome',
      content: 'Count me in.',
      onScreen: /Count me in\./,
      unread: expect.any(Number),
    },
  ],
  ['Slack', archive('slack', slack, 'imported from Slack', '**hi** @**Wanda Wren**', /▒ hi @Wanda Wren/)],
  [
    'Mattermost',
    archive(
      'mattermost',
      mattermostArchive(picture),
      'imported from Mattermost',
      '[Build 7](https://ci.test/7)\nfailed',
      /Build 7/,
    ),
  ],
  [
    'Rocket.Chat',
    archive('rocketchat', dumpOf(rocketChatRecords(picture)), 'imported from Rocket.Chat', 'psst', /▒ psst/),
  ],
  [
    'mailing lists',
    archive('mbox', mboxArchive, 'Where do we breed?', 'Bäume, I think.\nFrom here it looks good.', /Bäume, I think\./),
  ],
];

const cases = databasesInTurn(import.meta.url).flatMap((name) =>
  ARRIVING.map(([what, arriving]) => [name, what, arriving] as const),
);

describe.each(cases)('an organization that came to %s from %s', (name, _what, arriving) => {
  let database: TestDatabase;
  let server: ServerProcess;
  let account: Awaited<ReturnType<typeof demoAccount>>;
  beforeAll(async () => {
    database = await makeDatabase(name);
    const folder = await arriving.folder(name);
    try {
      const command = ['import', folder, '--from', arriving.from, '--name', 'Birds', '--owner-email', arriving.who];
      expect(await runCommand(database, command)).toMatch(/^came: \d+ messages$/m);
    } finally {
      rmSync(folder, { recursive: true });
    }
    const port = await freePort();
    const address = `http://127.0.0.1:${port}`;
    server = await startProcess(database, port, { ROOST_MODE: 'development', ROOST_EXTERNAL_URL: address }, 'serve');
    account = await demoAccount(server, arriving.who);
  });
  afterAll(async () => {
    await server.kill('SIGTERM');
    await database.remove();
  });
  const say = (content: string) =>
    call(server, account, 'POST', '/messages', { type: 'direct', to: [account.user_id], content });

  it.skipIf(!programs)('is read by the Python client, which goes on in it', async () => {
    const { email, api_key } = account;
    const { stdout } = await run(join(programs ?? '', 'python'), [PROGRAM, server.url, email, api_key]);
    const seen = JSON.parse(stdout);
    expect(seen).toMatchObject({ unread: arriving.unread, is_newest: true });
    expect(seen.people).toBeGreaterThan(0);
    expect(seen.contents).toContain(arriving.content);
    expect(seen.topics).toContain(arriving.topic);
    expect(seen.heard).toEqual(expect.arrayContaining(['message', 'reaction']));
  });

  it('is read by zulip-js, which goes on in it', async () => {
    const client = await zulipJs({ realm: server.url, username: account.email, apiKey: account.api_key });
    expect(await client.users.me.getProfile()).toMatchObject({ email: account.email, is_active: true });
    const page = { anchor: 'newest', num_before: 100, num_after: 0, apply_markdown: false };
    const { messages } = await client.messages.retrieve(page);
    expect(messages.map(({ content }: Body) => content)).toContain(arriving.content);
    const { subject, stream_id, display_recipient } = messages.find((one: Body) => one['subject'] === arriving.topic);
    const { topics } = await client.streams.topics.retrieve({ stream_id });
    expect(topics.map((topic: Body) => topic['name'])).toContain(arriving.topic);
    const queue = await client.queues.register({ event_types: ['message', 'reaction'] });
    const sent = await client.messages.send({ type: 'stream', to: display_recipient, topic: subject, content: 'so?' });
    expect(sent.id).toBeGreaterThan(messages.at(-1).id);
    expect(await client.reactions.add({ message_id: sent.id, emoji_name: 'octopus' })).toMatchObject({
      result: 'success',
    });
    const { queue_id, last_event_id } = queue;
    const { events } = await client.events.retrieve({ queue_id, last_event_id, dont_block: true });
    expect(events.map((event: Body) => event['type'])).toEqual(['message', 'reaction']);
  });

  it('is decoded by the rules of the phone app: state, messages, topics and events', async () => {
    const faults = (schema: Schema, value: unknown) =>
      (schema.safeParse(value).error?.issues ?? []).map((issue) => `${issue.path.join('.')}: ${issue.message}`);
    const ask = (method: string, path: string, fields: Body = {}) => call(server, account, method, path, fields);
    const state = await ask('POST', '/register', REGISTERING);
    expect(state).toMatchObject({ result: 'success' });
    expect(faults(snapshot, state)).toEqual([]);
    const page = { anchor: 'newest', num_before: 100, num_after: 0, narrow: [], allow_empty_topic_name: true };
    const messages = await ask('GET', '/messages', page);
    expect(messages['messages'].length).toBeGreaterThan(0);
    expect(faults(REPLIES.messages, messages)).toEqual([]);
    for (const { stream_id } of state['subscriptions']) {
      const topics = await ask('GET', `/users/me/${stream_id}/topics`, { allow_empty_topic_name: true });
      expect(faults(REPLIES.topics, topics)).toEqual([]);
    }
    const sent = await say('from the phone');
    await ask('POST', '/messages/flags', { messages: [sent['id']], op: 'add', flag: 'starred' });
    await ask('POST', `/messages/${sent['id']}/reactions`, { emoji_name: 'tada' });
    const poll = { queue_id: state['queue_id'], last_event_id: state['last_event_id'], dont_block: true };
    const events: readonly Body[] = (await ask('GET', '/events', poll))['events'];
    const known = events.flatMap((event) => {
      const schema = EVENTS[event['op'] === undefined ? event['type'] : `${event['type']}/${event['op']}`];
      return schema ? [[event['type'], faults(schema, event)]] : [];
    });
    expect(known.map(([type]) => type)).toEqual(
      expect.arrayContaining(['message', 'update_message_flags', 'reaction']),
    );
    expect(known.filter(([, found]) => found?.length !== 0)).toEqual([]);
  });

  it.skipIf(!programs || !hasTerminals())('is shown by the terminal client, which goes on in it', async () => {
    await say('a note to myself');
    const settings = join(database.dataDir, 'zuliprc');
    const { email, api_key } = account;
    const text = `[api]\nemail=${email}\nkey=${api_key}\nsite=${server.url}\n\n[zterm]\ntheme=zt_dark\n`;
    writeFileSync(settings, text, { mode: 0o600 });
    const client = join(programs ?? '', 'zulip-term');
    const terminal = await Terminal.open(`cd ${database.dataDir} && ${client} -c ${settings}`);
    try {
      await terminal.shows(arriving.onScreen);
      // It may have written over its screen while it started: people redraw it, too.
      await terminal.press('C-l');
      await terminal.shows(arriving.onScreen);
      // All direct messages, one of which is to oneself.
      await terminal.press('P');
      await terminal.shows(/▒ a note to myself/);
      await terminal.press('r');
      await terminal.shows(/To: /);
      await terminal.type('hello from the terminal');
      await terminal.press('C-d');
      await terminal.shows(/▒ hello from the terminal/);
      await terminal.escape();
      await terminal.press('P');
      await terminal.shows(/▒ a note to myself/);
      await say('welcome, terminal');
      await terminal.shows(/▒ welcome, terminal/);
    } finally {
      await terminal.close();
    }
  });
});
