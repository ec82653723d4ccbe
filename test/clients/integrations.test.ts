import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Body } from '../support/client.ts';
import { databases, makeDatabase, type TestDatabase } from '../support/databases.ts';
import { pause } from '../support/pause.ts';
import { call, demoAccount, freePort, runCommand, type ServerProcess, startProcess } from '../support/process.ts';
import { PYTHON_CLIENTS, pythonWith } from '../support/python.ts';

const run = promisify(execFile);
// Slow programs: these run with `npm run clients` only.
const isAsked = process.env['ROOST_TEST_CLIENTS'] === 'all';
const programs = isAsked
  ? await pythonWith([...PYTHON_CLIENTS, 'feedparser==6.0.11', 'platformdirs==4.3.6'])
  : undefined;

const FEED = `<?xml version="1.0"?><rss version="2.0"><channel><title>Nests</title><link>http://nests.test/</link>
<description>News</description><item><title>An egg</title><link>http://nests.test/1</link><guid>1</guid>
<description>It is &lt;b&gt;blue&lt;/b&gt;.</description></item></channel></rss>`;

/** What the Python client brings along beside its library: examples, and integrations that need no other service. */
describe.skipIf(!programs).each(databases)('what comes with the Python client, on %s', (name) => {
  const program = (file: string) => join(programs ?? '', file);
  let database: TestDatabase;
  let server: ServerProcess;
  let admin: { email: string; api_key: string };
  let folder: string;
  let settings: string;
  const running: ChildProcess[] = [];

  beforeAll(async () => {
    database = await makeDatabase(name);
    server = await startProcess(database, await freePort());
    await runCommand(database, ['account', 'permit', '--email=admin@roost.test']);
    admin = await demoAccount(server, 'admin@roost.test');
    folder = await mkdtemp(join(database.dataDir, 'programs-'));
    settings = join(folder, 'zuliprc');
    await writeFile(settings, `[api]\nemail=${admin.email}\nkey=${admin.api_key}\nsite=${server.url}\n`);
    const subscriptions = ['commits', 'logs', 'rss', 'deployments', 'here', 'there'].map((one) => ({ name: one }));
    await call(server, admin, 'POST', '/users/me/subscriptions', { subscriptions });
  });
  afterAll(async () => {
    for (const child of running) if (child.pid !== undefined) process.kill(-child.pid, 'SIGTERM');
    await server.kill('SIGTERM');
    await database.remove();
  });

  const say = async (content: string, topic = 'examples', to = 'general'): Promise<number> =>
    (await call(server, admin, 'POST', '/messages', { type: 'channel', to, topic, content }))['id'];
  const channelId = async (stream: string) =>
    (await call(server, admin, 'GET', '/get_stream_id', { stream })).stream_id;
  const newest = async (channel: string): Promise<Body | undefined> => {
    const narrow = [{ operator: 'channel', operand: channel }];
    const page = { anchor: 'newest', num_before: 1, num_after: 0, apply_markdown: false, narrow };
    return (await call(server, admin, 'GET', '/messages', page)).messages.at(-1);
  };
  /** Environment of programs that keep something in the home folder. */
  const environment = () => ({ ...process.env, HOME: folder, XDG_STATE_HOME: folder });
  const integration = (path: string) => program(`../share/zulip/integrations/${path}`);
  const python = (args: readonly string[], input = '', cwd = folder) => {
    const child = run(program('python'), args, { cwd, env: environment(), timeout: 60_000 });
    child.child.stdin?.end(input);
    return child;
  };
  const configured = async (source: string, to: string) => {
    const text = (await readFile(source, 'utf8'))
      .replace(/^ZULIP_USER = .*$/m, `ZULIP_USER = ${JSON.stringify(admin.email)}`)
      .replace(/^ZULIP_API_KEY = .*$/m, `ZULIP_API_KEY = ${JSON.stringify(admin.api_key)}`)
      .replace(/^ZULIP_SITE = .*$/m, `ZULIP_SITE = ${JSON.stringify(server.url)}`);
    await writeFile(to, text);
  };

  describe('each example', () => {
    const examples = async () =>
      (await run(program('zulip-api-examples'), [])).stdout.trim().split('\n').at(-1)?.split(' ').at(-1) ?? '';
    /** Examples that go on until somebody ends them. */
    const endless = ['print-events', 'print-messages', 'welcome-message'];
    /** What is given to each, and what it says when all went well. */
    const asked = async (): Promise<Readonly<Record<string, readonly [readonly string[], RegExp]>>> => {
      const message = String(await say('to be read'));
      const changed = String(await say('to be changed'));
      const deleted = String(await say('to be deleted'));
      await call(server, admin, 'POST', '/users/me/subscriptions', { subscriptions: [{ name: 'passing' }] });
      const passing = String(await channelId('passing'));
      const general = String(await channelId('general'));
      const done = /'result': 'success'/;
      const person = ['--new-email=nestling@roost.test', '--new-password=three nests in the tower'];
      return {
        'alert-words': [['add', 'rook'], done],
        'create-user': [[...person, '--new-full-name=Nina', '--new-short-name=nina'], done],
        'delete-message': [[deleted], done],
        'edit-message': [['--message-id', changed, '--content=changed'], done],
        // It says all of the channel: one with a history for members only has to be private.
        'edit-stream': [['--stream-id', passing, '--description=x', '--new-name=passage', '--private'], done],
        'delete-stream': [[passing], done],
        'get-history': [['--stream=general', '--topic=examples'], /Writing \d+ messages/],
        'get-messages': [['--anchor', message, '--num-before=2', '--num-after=2'], done],
        'get-public-streams': [[], done],
        'get-raw-message': [[message], done],
        'get-stream-topics': [['--stream-id', general], done],
        'get-subscriptions': [[], done],
        'get-user-presence': [['--email', 'member@roost.test'], done],
        'list-users': [[], /'full_name': 'Mia Member'|Mia Member/],
        'message-history': [[message], done],
        'mute-topic': [['mute', 'general', 'examples'], done],
        'realm-emoji': [[], done],
        'send-message': [['member@roost.test', '--message=hello'], done],
        subscribe: [['--streams=borrowed'], done],
        unsubscribe: [['--streams=borrowed'], done],
        'update-message-flags': [['add', 'starred', message], done],
        'upload-file': [['--file-path', settings], /File URI: \/user_uploads\/.+zuliprc/],
      };
    };

    it('does what it says', { timeout: 240_000 }, async () => {
      const place = await examples();
      await call(server, await demoAccount(server, 'member@roost.test'), 'POST', '/users/me/presence', {
        status: 'active',
      });
      const all = await asked();
      const said: Record<string, string> = {};
      for (const [example, [args]] of Object.entries(all)) {
        const { stdout } = await python([join(place, example), '--config-file', settings, ...args]);
        said[example] = stdout;
      }
      const wrong = Object.entries(all).filter(([example, [, wanted]]) => !wanted.test(said[example] ?? ''));
      expect(wrong.map(([example]) => [example, said[example]])).toEqual([]);
      const files = (await readdir(place)).filter((file) => file !== 'zuliprc' && !file.startsWith('__'));
      expect(files.toSorted()).toEqual([...Object.keys(all), ...endless].toSorted());
    });

    it('that listens hears what is said', async () => {
      const child = spawn(
        program('python'),
        ['-u', join(await examples(), 'print-messages'), '--config-file', settings],
        {
          detached: true,
          stdio: ['ignore', 'pipe', 'ignore'],
        },
      );
      running.push(child);
      let output = '';
      child.stdout.on('data', (chunk) => (output += String(chunk)));
      for (const deadline = performance.now() + 60_000; performance.now() < deadline && output === ''; await pause(300))
        await say('anybody there?');
      expect(output).toContain('anybody there?');
    });
  });

  it('the hook for Git tells of what was pushed', async () => {
    const bare = join(folder, 'nest.git');
    const work = join(folder, 'nest');
    const git = (args: readonly string[], cwd = work) =>
      run('git', ['-c', 'user.name=Rook', '-c', 'user.email=rook@roost.test', ...args], { cwd, env: environment() });
    await git(['init', '-q', '--bare', '-b', 'main', bare], folder);
    await git(['clone', '-q', bare, work], folder);
    const hooks = join(bare, 'hooks');
    await configured(integration('git/zulip_git_config.py'), join(hooks, 'zulip_git_config.py'));
    await copyFile(integration('git/post-receive'), join(hooks, 'tell.py'));
    const hook = `#!/bin/sh\nexec ${program('python')} ${join(hooks, 'tell.py')}\n`;
    await writeFile(join(hooks, 'post-receive'), hook, { mode: 0o755 });
    await git(['commit', '-q', '--allow-empty', '-m', 'Lay the first twig']);
    await git(['push', '-q', 'origin', 'HEAD:main']);
    await git(['commit', '-q', '--allow-empty', '-m', 'Lay the second twig']);
    await git(['push', '-q', 'origin', 'HEAD:main']);
    const message = await newest('commits');
    expect(message).toMatchObject({ client: 'ZulipGit', subject: 'main' });
    expect(message?.['content']).toMatch(
      /was deployed to `main` with:\n\n!avatar\(rook@roost\.test\) Lay the second twig/,
    );
  });

  it('the reader of log files tells of new lines, and of each once', async () => {
    const log = join(folder, 'server.log');
    const control = join(folder, 'log2zulip.conf');
    await writeFile(log, 'the nest fell\n');
    await writeFile(control, JSON.stringify([log]));
    const tell = () =>
      python([integration('log2zulip/log2zulip'), '--control-path', control, '--config-file', settings]);
    await tell();
    const message = await newest('logs');
    expect(message?.['content']).toBe('1 new errors:\n```\nthe nest fell\n```');
    await tell();
    expect((await newest('logs'))?.['id']).toBe(message?.['id']);
  });

  it('the reader of feeds tells of an entry', async () => {
    const feed = join(folder, 'feed.xml');
    const feeds = join(folder, 'feeds');
    await writeFile(feed, FEED);
    await writeFile(feeds, `${feed}\n`);
    const data = join(folder, 'rss');
    await mkdir(data);
    // A file has no host, after which the program names what it has read.
    const reader = [integration('rss/rss-bot'), '--config-file', settings, '--data-dir', data, '--feed-file', feeds];
    await python(reader).catch((error: { stderr: string }) => expect(error.stderr).toContain('IsADirectoryError'));
    expect(await newest('rss')).toMatchObject({
      client: 'ZulipRSS',
      subject: 'Nests',
      content: '**[An egg](http://nests.test/1)**\nIt is blue.\nhttp://nests.test/1',
    });
  });

  it('the hook for OpenShift tells of a deployment', async () => {
    const bin = join(folder, 'bin');
    await mkdir(bin);
    const line = '2026-11-22 15:40:30 -0500 - 9e2b7143 - main - b9ce57c - ACTIVE';
    const gear = `#!/bin/sh\necho 'Activation time - Deployment ID - Git Ref - Git SHA1'\necho '${line}'\n`;
    await writeFile(join(bin, 'gear'), gear, { mode: 0o755 });
    await configured(integration('openshift/zulip_openshift_config.py'), join(bin, 'zulip_openshift_config.py'));
    await copyFile(integration('openshift/post_deploy'), join(bin, 'post_deploy.py'));
    const named = { OPENSHIFT_APP_NAME: 'nest', OPENSHIFT_APP_DNS: 'http://nest.test' };
    await run(program('python'), [join(bin, 'post_deploy.py')], {
      env: { ...environment(), ...named, PATH: `${bin}:${process.env['PATH'] ?? ''}` },
    });
    const message = await newest('deployments');
    expect(message).toMatchObject({ client: 'ZulipOpenShift' });
    expect(message?.['content']).toContain('b9ce57c');
  });

  it('the bridge between organizations carries what is said from one channel to another', async () => {
    const bot = async (short_name: string) => {
      const made = await call(server, admin, 'POST', '/bots', { full_name: `Bridge ${short_name}`, short_name });
      const { user } = await call(server, admin, 'GET', `/users/${made['user_id']}`);
      const principals = [made['user_id']];
      const subscriptions = [{ name: 'here' }, { name: 'there' }];
      await call(server, admin, 'POST', '/users/me/subscriptions', { subscriptions, principals });
      return { email: user.email, api_key: made['api_key'], site: server.url };
    };
    const bots = {
      bot_1: { ...(await bot('one')), stream: 'here', subject: 'bridge' },
      bot_2: { ...(await bot('two')), stream: 'there', subject: 'bridge' },
    };
    const place = join(folder, 'bridge');
    await mkdir(place);
    await writeFile(join(place, 'interrealm_bridge_config.py'), `config = ${JSON.stringify(bots)}\n`);
    const script = join(place, 'run.py');
    await copyFile(integration('bridge_between_zulips/run-interrealm-bridge'), script);
    const child = spawn(program('python'), [script], {
      cwd: place,
      env: environment(),
      detached: true,
      stdio: 'ignore',
    });
    running.push(child);
    const isThere = async () => (await newest('there'))?.['content'] === '**Adam Admin**: does it hold?';
    for (
      const deadline = performance.now() + 60_000;
      performance.now() < deadline && !(await isThere());
      await pause(500)
    )
      await say('does it hold?', 'bridge', 'here');
    expect(await newest('there')).toMatchObject({ subject: 'bridge', content: '**Adam Admin**: does it hold?' });
  });

  it('has no further integration that needs no other service', async () => {
    const tried = ['bridge_between_zulips', 'git', 'log2zulip', 'nagios', 'openshift', 'rss'];
    const needy = {
      bridge_with_irc: 'IRC',
      bridge_with_matrix: 'Matrix',
      bridge_with_slack: 'Slack',
      codebase: 'Codebase',
      google: 'Google Calendar',
      hg: 'Mercurial',
      jabber: 'Jabber',
      jira: 'Jira',
      litellm: 'a language model',
      perforce: 'Perforce',
      svn: 'Subversion',
      trac: 'Trac',
      trello: 'Trello',
      twitter: 'Twitter',
      zephyr: 'Zephyr',
    };
    const all = (await readdir(dirname(integration('x')), { withFileTypes: true }))
      .filter((one) => one.isDirectory() && !one.name.startsWith('__'))
      .map((one) => one.name);
    expect(all.toSorted()).toEqual([...tried, ...Object.keys(needy)].toSorted());
  });
});
