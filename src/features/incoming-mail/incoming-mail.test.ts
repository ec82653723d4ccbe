import { once } from 'node:events';
import { connect } from 'node:net';
import { createTransport, type SendMailOptions } from 'nodemailer';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listenForMail, type MailListener, readMail } from '#kernel/mail';
import type { Client } from '../../../test/support/client.ts';
import { databases } from '../../../test/support/databases.ts';
import { inGerman } from '../../../test/support/language.ts';
import { writtenMails } from '../../../test/support/mails.ts';
import { openWorld, type World } from '../../../test/support/world.ts';
import { receiverOf } from './index.ts';

const HOST = 'in.roost.test';
const ENVIRONMENT = { ROOST_MAIL_IN_URL: 'smtp://127.0.0.1:0', ROOST_MAIL_IN_ADDRESS: `*@${HOST}` };

type Listening = MailListener & { readonly protocol: 'smtp' | 'lmtp' };

describe.each(databases)('mails that come in on %s', (database) => {
  let world: World;
  let max: Client;
  let mia: Client;
  let smtp: Listening;
  let lmtp: Listening;
  let channelId: number;

  beforeAll(async () => {
    world = await openWorld(database, { environment: ENVIRONMENT });
    ({ max, mia } = world);
    const subscribed = { subscriptions: [{ name: 'kitchen' }], principals: [max.userId, mia.userId] };
    await max.post('/users/me/subscriptions', subscribed);
    channelId = (await max.get('/get_stream_id', { stream: 'kitchen' }))['stream_id'];
    smtp = await listen('smtp');
    lmtp = await listen('lmtp');
    world.server.context.jobs.start(world.server.context);
  });
  afterAll(async () => {
    await Promise.all([smtp.close(), lmtp.close()]);
    await world.close();
  });

  async function listen(protocol: 'smtp' | 'lmtp', networks = ['loopback']): Promise<Listening> {
    const { context } = world.server;
    const listener = await listenForMail({
      url: `${protocol}://127.0.0.1:0`,
      networks,
      name: 'roost.test',
      clock: context.clock,
      log: context.log,
      receiver: receiverOf(context),
    });
    return { ...listener, protocol };
  }

  /** Hands a mail over as a mail server does; what it is answered for each recipient. */
  async function send(mail: SendMailOptions, to: Listening = smtp): Promise<string> {
    const lmtpToo = { lmtp: to.protocol === 'lmtp' };
    const transport = createTransport({ host: '127.0.0.1', port: to.port, ignoreTLS: true, ...lmtpToo });
    try {
      return (await transport.sendMail({ from: 'Max <member@roost.test>', ...mail })).response;
    } catch (error) {
      return error instanceof Error && 'response' in error ? String(error.response) : String(error);
    } finally {
      transport.close();
    }
  }

  const jobs = async () => {
    world.server.context.jobs.wake();
    await world.server.context.jobs.idle();
  };
  /** The mail to somebody that holds these words, once it has been sent; one that is not comes in the next minutes. */
  const missed = async (recipient: string, words: string, isSent = true): Promise<string> => {
    for (let tries = 0; tries < (isSent ? 5 : 2); tries++) {
      await jobs();
      world.clock.advance(125_000);
      await jobs();
      const found = writtenMails(world.dataDir).find(
        (mail) => mail.includes(words) && /^To: .*$/m.exec(mail)?.[0].includes(recipient),
      );
      if (found !== undefined) return found;
    }
    return '';
  };
  let said = 0;
  const replyAddress = (mail: string) => /^Reply-To: .*<(\S+@\S+)>/m.exec(mail)?.[1] ?? '';
  /** An address by which Max answers what Mia wrote to him. */
  const addressFor = async (client = max, email = 'member@roost.test'): Promise<string> => {
    const content = `Tomorrow ${++said}?`;
    await mia.post('/messages', { type: 'direct', to: [client.userId], content });
    const address = replyAddress(await missed(email, content));
    expect(address).toMatch(/^r1-[0-9a-z]{26}@in\.roost\.test$/);
    return address;
  };
  const newest = async (client: Client = mia, narrow: unknown[] = []) => {
    const page = { anchor: 'newest', num_before: 1, num_after: 0, apply_markdown: false, narrow };
    return (await client.get('/messages', page))['messages'].at(-1) ?? {};
  };
  const channelAddress = async (client: Client = max, sender_id?: number): Promise<string> =>
    (await client.get(`/streams/${channelId}/email_address`, { sender_id }))['email'];

  describe('as answers', () => {
    it('are messages of the person in the conversation, by SMTP and by LMTP', async () => {
      const to = await addressFor();
      const text = 'Yes, at **ten**.\n\nOn Mon, 23 Nov 2026, Roost Test wrote:\n> Mia Member: Tomorrow?\n\n-- \nMax\n';
      expect(await send({ to, subject: 'Re: x', text })).toMatch(/^250/);
      expect(await newest()).toMatchObject({ type: 'private', content: 'Yes, at **ten**.', sender_id: max.userId });
      expect(await send({ to: to.toUpperCase(), text: 'And eleven' }, lmtp)).toMatch(/^250/);
      expect(await newest()).toMatchObject({ type: 'private', content: 'And eleven', sender_id: max.userId });
    });

    it('go to the topic where the message is by then', async () => {
      const content = `@**Max Member|${max.userId}** look ${++said}`;
      const { id } = await mia.post('/messages', { type: 'channel', to: channelId, topic: 'boats', content });
      const mail = await missed('member@roost.test', `look ${said}`);
      expect(mail).toContain('Reply to this mail');
      await mia.patch(`/messages/${id}`, { topic: 'ships', propagate_mode: 'change_all' });
      expect(await send({ to: replyAddress(mail), html: '<p>Nice <b>boat</b></p>' })).toMatch(/^250/);
      expect(await newest()).toMatchObject({ subject: 'ships', content: 'Nice **boat**', sender_id: max.userId });
    });

    it('are taken once, by their Message-ID', async () => {
      const to = await addressFor();
      const mail = { to, messageId: '<one@roost.test>', text: 'once' };
      expect([await send(mail), await send(mail, lmtp)]).toEqual([
        expect.stringMatching(/^250/),
        expect.stringMatching(/^250/),
      ]);
      const narrow = [{ operator: 'dm', operand: [mia.userId] }];
      const page = { anchor: 'newest', num_before: 20, num_after: 0, narrow, apply_markdown: false };
      const { messages } = await max.get('/messages', page);
      expect(messages.filter(({ content }: { content: string }) => content === 'once')).toHaveLength(1);
    });

    it('are told apart by their content where they have no Message-ID, however long they are', async () => {
      const to = await addressFor();
      const raw = (text: string) => `From: Max <member@roost.test>\r\nSubject: a\r\n\r\n${text}\r\n`;
      const long = 'word '.repeat(1_500);
      const handOver = (text: string, by: Listening) =>
        send({ envelope: { from: 'member@roost.test', to }, raw: raw(text) }, by);
      for (const text of [`first ${long}`, `second ${long}`, `first ${long}`])
        expect(await handOver(text, smtp)).toMatch(/^250/);
      const narrow = [{ operator: 'dm', operand: [mia.userId] }];
      const page = { anchor: 'newest', num_before: 5, num_after: 0, narrow, apply_markdown: false };
      const { messages } = await max.get('/messages', page);
      const contents = messages.map(({ content }: { content: string }) => content.split(' ')[0]);
      expect(contents.filter((word: string) => ['first', 'second'].includes(word))).toEqual(['first', 'second']);
    });

    it('go to each of their recipients whole, by LMTP', async () => {
      const to = [await addressFor(), await addressFor()];
      const text = `to both ${'word '.repeat(1_500)}`;
      expect(await send({ envelope: { from: 'member@roost.test', to }, text }, lmtp)).toMatch(/^250/);
      const narrow = [{ operator: 'dm', operand: [mia.userId] }];
      const page = { anchor: 'newest', num_before: 5, num_after: 0, narrow, apply_markdown: false };
      const { messages } = await max.get('/messages', page);
      const whole = messages.filter(({ content }: { content: string }) => content.startsWith('to both'));
      expect(whole).toHaveLength(2);
    });

    it('bring their files, which those who read the message can open', async () => {
      const to = await addressFor();
      const attachments = [
        { filename: 'plan [1] @**all**.txt', content: 'the plan' },
        { filename: '../../etc/passwd', content: 'none' },
      ];
      expect(await send({ to, text: 'see', attachments })).toMatch(/^250/);
      const { content } = await newest();
      const [, path = ''] = /\[plan _1_ ___all__\.txt\]\((\/user_uploads\/\S+)\)/.exec(content) ?? [];
      const { url } = await mia.get(path.replace('/user_uploads', '/user_uploads'));
      expect(url).toMatch(/^\/user_uploads\/temporary\//);
      expect(content).toMatch(/\[\.\._\.\._etc_passwd\]/);
    });

    it.each([
      'From: member@roost.test, eve@evil.test',
      'From: Max <member@roost.test>\r\nFrom: Eve <eve@evil.test>',
      'From: <member@roost.test> <eve@evil.test>',
      'From: "a" <member@roost.test>, "b" <eve@evil.test>',
    ])('are of one author: %j is refused (protocol/mail#receiving)', async (from) => {
      const to = await addressFor();
      const handOver = (field: string) =>
        send({ envelope: { from: 'eve@evil.test', to }, raw: `${field}\r\nSubject: a\r\n\r\nmine\r\n` });
      expect(await handOver(from)).toMatch(/^554 .*taken from the address/);
      const named = 'From: "Max \\"eve@evil.test\\"" (eve@evil.test) <Member@Roost.test>';
      expect(await handOver(named)).toMatch(/^250/);
    });

    it('are of the person alone: not of others to whom the mail was forwarded, and not beyond their rights', async () => {
      const to = await addressFor();
      const before = (await newest())['id'];
      expect(await send({ to, from: 'member2@roost.test', text: 'I am Max' })).toMatch(
        /^554 .*address that the mail was sent/,
      );
      expect(await send({ to: to.replace(/.@/, (end) => (end === 'a@' ? 'b@' : 'a@')), text: 'x' })).toMatch(/^550/);
      expect(await send({ to: 'r1-x@in.roost.test', text: 'x' })).toMatch(/^550/);
      expect(await send({ to: 'member@roost.test', text: 'x' })).toMatch(/^550/);
      expect(await send({ to, text: '> quoted\n' })).toMatch(/^554 .*nothing is written/);
      expect((await newest())['id']).toBe(before);
    });

    it('end with the person, with their key, and after sixty days', async () => {
      const eve = await world.user({ email: 'eve@roost.test', full_name: 'Eve' });
      const from = 'eve@roost.test';
      const address = () => addressFor(eve, from);
      const [first, second] = [await address(), await address()];
      expect(await send({ to: first, from, text: 'one' })).toMatch(/^250/);
      await world.adam.delete(`/users/${eve.userId}`, {});
      expect(await send({ to: second, from, text: 'two' })).toMatch(/^550/);
      await world.adam.post(`/users/${eve.userId}/reactivate`, {});
      expect(await send({ to: second, from, text: 'two' })).toMatch(/^550/);
      const third = await address();
      expect(await send({ to: third, from, text: 'three' })).toMatch(/^250/);
      await eve.post('/users/me/api_key/regenerate', {});
      expect(await send({ to: third, from, text: 'four' })).toMatch(/^550/);
      const fourth = await addressFor();
      world.clock.advance(61 * 86_400_000);
      expect(await send({ to: fourth, text: 'late' })).toMatch(/^550/);
    });

    it('are refused when a machine wrote them', async () => {
      const to = await addressFor();
      for (const headers of [
        { 'Auto-Submitted': 'auto-replied' },
        { 'Auto-Submitted': 'auto-generated' },
        { Precedence: 'bulk' },
        { Precedence: 'auto_reply' },
        { 'X-Autoreply': 'yes' },
        { 'List-Id': '<list.example.org>' },
        { 'X-Roost-Server': 'localhost' },
        { 'Auto-Submitted': ['no', 'auto-replied'] },
        { 'Auto-Submitted': '(vacation) auto-replied' },
        { 'X-Roost-Server': ['()', 'localhost'] },
      ])
        expect([headers, await send({ to, text: 'I am away', headers })]).toEqual([
          headers,
          expect.stringMatching(/^554/),
        ]);
      expect(await send({ to, text: 'I am here', headers: { 'Auto-Submitted': 'no' } })).toMatch(/^250/);
    });

    it('are refused without a return path, and after too many servers', async () => {
      const to = await addressFor();
      expect(await send({ to, text: 'x', envelope: { from: '', to } })).toMatch(/^554/);
      const received = Array.from({ length: 51 }, () => 'from a by b; Mon, 23 Nov 2026 10:00:00 +0000');
      const headers = received.map((value) => ({ key: 'Received', value }));
      expect(await send({ to, text: 'x', headers })).toMatch(/^554 .*too many servers/);
    });
  });

  describe('to channels', () => {
    it('are posted by the gateway under their subject, and mention nobody', async () => {
      const to = await channelAddress();
      expect(to).toMatch(/^kitchen\.c1-[0-9a-z-]+-[0-9a-f]{20}@in\.roost\.test$/);
      const text = 'Hello @**all** and @**Max Member**\n\n    indented\n\n> quoted\n';
      expect(await send({ to, from: 'Sue <sue@example.org>', subject: 'Re: Fwd: The boat', text })).toMatch(/^250/);
      const message = await newest();
      expect(message).toMatchObject({ subject: 'The boat', sender_full_name: 'Email Gateway', stream_id: channelId });
      expect(message['content']).toBe('Hello @_**all** and @_**Max Member**\n\n    indented');
    });

    it('follow the options of the address', async () => {
      const to = (await channelAddress()).replace('@', '.show-sender.include-quotes.include-footer.prefer-html@');
      const from = { name: '*Sue* [x](https://evil.test)', address: 'sue@example.org' };
      const html = '<p>Hello</p><blockquote type="cite">Tomorrow?</blockquote><p>Yes</p>';
      expect(await send({ to, from, subject: '', text: 'plain', html }, lmtp)).toMatch(/^250/);
      const message = await newest();
      expect(message['subject']).toBe('(no subject)');
      expect(message['content']).toMatch(
        /^\*\*From:\*\* &#42;Sue&#42; &#91;x&#93;\(https&#58;\S+ \(sue&#64;example\.org\)\n\nHello\n\n> Tomorrow\?\n\nYes$/,
      );
    });

    it('say in the language of the organization what they lack', async () => {
      const to = (await channelAddress()).replace('@', '.show-sender@');
      await inGerman(world, async () => {
        expect(await send({ to, from: 'sue@example.org', subject: '', text: '' }, lmtp)).toMatch(/^250/);
      });
      expect(await newest()).toMatchObject({
        subject: '(kein Betreff)',
        content: '**Von:** sue&#64;example.org\n\n*(kein Text)*',
      });
    });

    it('are those of a bot or of a person where the address says so', async () => {
      expect(await send({ to: await channelAddress(max, max.userId), subject: 'own', text: 'hello' })).toMatch(/^250/);
      expect(await newest()).toMatchObject({ subject: 'own', sender_id: max.userId });
    });

    it('are as good as the right of the person who asked for the address', async () => {
      const to = await channelAddress(mia);
      const moderators = world.realm.groups['role:moderators'];
      await max.patch(`/streams/${channelId}`, { can_send_message_group: { new: moderators } });
      expect(await send({ to, subject: 'x', text: 'hello' })).toMatch(/^554 .*permission to post/);
      const everyone = world.realm.groups['role:everyone'];
      await max.patch(`/streams/${channelId}`, { can_send_message_group: { new: everyone } });
      expect(await send({ to, subject: 'x', text: 'hello' })).toMatch(/^250/);
      expect(await send({ to: to.replace(/(.)@/, (_, last) => (last === '0' ? '1@' : '0@')), text: 'x' })).toMatch(
        /^550/,
      );
    });

    it('may be of lists, but not of answering machines', async () => {
      const to = await channelAddress();
      expect(
        await send({ to, subject: 'x', text: 'news', headers: { 'List-Id': '<a.b>', Precedence: 'list' } }),
      ).toMatch(/^250/);
      expect(await send({ to, subject: 'x', text: 'away', headers: { 'Auto-Submitted': 'auto-replied' } })).toMatch(
        /^554/,
      );
    });

    it('have an answer for each recipient by LMTP, and one recipient at a time by SMTP', async () => {
      const good = await channelAddress();
      const lines = [
        `LHLO x`,
        'MAIL FROM:<a@b.test>',
        `RCPT TO:<${good}>`,
        `RCPT TO:<${good.replace('.', '.show-sender.')}>`,
      ];
      const both = await talk(lmtp, [...lines, 'DATA', 'Subject: both\r\n\r\nhello\r\n.', 'QUIT']);
      expect(both.filter((line) => /^250 .*stored/.test(line))).toHaveLength(2);
      const one = await talk(smtp, ['EHLO x', ...lines.slice(1), 'QUIT']);
      expect(one.find((line) => line.startsWith('452'))).toMatch(/too many recipients/);
    });
  });

  describe('that come back', () => {
    const report = (status: string, action = 'failed') => ({
      from: 'MAILER-DAEMON@mx.test',
      contentType: 'multipart/report; report-type=delivery-status',
      raw: `From: MAILER-DAEMON@mx.test\r\nContent-Type: multipart/report; report-type=delivery-status; boundary=b\r\n\r\n--b\r\n\r\nNo.\r\n--b\r\nContent-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; mx.test\r\n\r\nFinal-Recipient: rfc822; x@y.test\r\nAction: ${action}\r\nStatus: ${status}\r\nDiagnostic-Code: smtp; ${status} no such user @**all**\r\n--b--\r\n`,
    });
    const bounce = (to: string, status: string, action?: string) =>
      send({ ...report(status, action), envelope: { from: '', to } });

    it('three days for good end mails about missed messages, which the person is told, until another address', async () => {
      const sent: string[] = [];
      const mailer = world.server.context.mail;
      const send = mailer.sendMail.bind(mailer);
      Object.assign(mailer, {
        sendMail: async (mail: Parameters<typeof send>[0]) => {
          sent.push(mail.bounceTo ?? '');
          await send(mail);
        },
      });
      const tom = await world.user({ email: 'tom@roost.test', full_name: 'Tom' });
      const isMailed = async (to: string, isSent = true) => {
        const content = `Hello ${++said}`;
        await mia.post('/messages', { type: 'direct', to: [tom.userId], content });
        return (await missed(to, content, isSent)) !== '';
      };
      expect(await isMailed('tom@')).toBe(true);
      const back = sent.at(-1) ?? '';
      expect(back).toMatch(/^b1-[0-9a-z]+-[0-9a-f]{20}@in\.roost\.test$/);
      for (const [status, action] of [['5.7.1'], ['4.2.2', 'delayed'], ['5.2.2']] as const) {
        for (let times = 0; times < 4; times++) await bounce(back, status, action);
      }
      for (let times = 0; times < 4; times++) expect(await bounce(back, '5.1.1')).toMatch(/^250/);
      expect(await isMailed('tom@')).toBe(true);
      for (let days = 0; days < 2; days++) {
        world.clock.advance(86_400_000);
        await inGerman(world, () => bounce(back, '5.1.1'));
      }
      expect(await isMailed('tom@', false)).toBe(false);
      const told = await newest(tom, [{ operator: 'sender', operand: 'notification-bot@localhost' }]);
      expect(told['content']).toMatch(/^E-Mails an deine Adresse kommen zurück\.[^]*no such user/);
      await world.server.context.store.write((tx) =>
        tx.db
          .updateTable('user')
          .set({ email: 'tom2@roost.test' })
          .where('id', '=', tom.userId as never)
          .execute(),
      );
      expect(await isMailed('tom2@')).toBe(true);
      expect(
        await bounce(
          back.replace(/.@/, (end) => (end === '0@' ? '1@' : '0@')),
          '5.1.1',
        ),
      ).toMatch(/^55\d/);
    });
  });

  describe('made to hurt', () => {
    const hostile: Readonly<Record<string, () => string>> = {
      'thousands of parts': () =>
        `Content-Type: multipart/mixed; boundary=b\r\n\r\n${'--b\r\n\r\nx\r\n'.repeat(5_000)}--b--\r\n`,
      'parts within parts': () =>
        Array.from(
          { length: 500 },
          (_, at) => `Content-Type: multipart/mixed; boundary=b${at}\r\n\r\n--b${at}\r\n`,
        ).join(''),
      'a header of a megabyte': () => `X: ${'x'.repeat(2 ** 20)}\r\n\r\nhello`,
    };
    it.each(Object.entries(hostile))('with %s are refused for good', async (_what, make) => {
      const to = await channelAddress();
      const raw = `Message-ID: <${Math.random()}@x>\r\nSubject: x\r\n${make()}`;
      expect(await send({ raw, envelope: { from: 'a@b.test', to } })).toMatch(/^554/);
    });

    it.each([
      [
        'a charset that does not exist',
        'Subject: =?x-none?Q?a?=\r\nContent-Type: text/plain; charset=x-none\r\n\r\nh\xe9llo',
        /h.llo/,
      ],
      ['bytes that are no text', 'Content-Type: text/plain; charset=utf-8\r\n\r\n\xff\xfe\x00hello', /hello/],
      ['a header in a subject', 'Subject: =?utf-8?Q?a=0D=0ABcc:_evil@x.test?=\r\n\r\nhello', /^hello$/],
      ['a broken encoding', 'Content-Transfer-Encoding: base64\r\n\r\naGVsbG8*!', /hello/],
      ['an end in the middle', 'Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\nhello', /^hello$/],
      ['code points from everywhere', 'Subject: \u202e\ud800\u0007x\r\n\r\nhello', /^hello$/],
    ])('with %s are messages all the same', async (_what, mail, content) => {
      const to = await channelAddress();
      const raw = Buffer.from(`Message-ID: <${Math.random()}@x>\r\n${mail}`, 'latin1');
      expect(await send({ raw, envelope: { from: 'a@b.test', to } })).toMatch(/^250/);
      const message = await newest();
      expect(message['sender_full_name']).toBe('Email Gateway');
      expect(message['content']).toMatch(content);
      expect(message['subject']).not.toMatch(/[\r\n]/);
    });

    it('or larger than a mail may be are refused by what they say of themselves, and by what they are', async () => {
      const to = await channelAddress();
      const lines = ['EHLO x', `MAIL FROM:<a@b.test> SIZE=${30 * 2 ** 20}`, 'QUIT'];
      expect((await talk(smtp, lines)).find((line) => line.startsWith('5'))).toMatch(/^552/);
      const raw = Buffer.concat([Buffer.from('Subject: x\r\n\r\n'), Buffer.alloc(26 * 2 ** 20, 'x\r\n')]);
      expect(await send({ raw, envelope: { from: 'a@b.test', to, size: 10 } as never })).toMatch(/^552/);
    });

    it('come from the operator only', async () => {
      const closed = await listen('smtp', ['10.1.2.0/24', 'fd00::/8']);
      expect(await send({ to: await channelAddress(), text: 'x' }, closed)).toMatch(/554|421/);
      await closed.close();
    });
  });

  /** Says line after line; all that is answered. */
  async function talk(to: Listening, lines: readonly string[]): Promise<readonly string[]> {
    const socket = connect(to.port, '127.0.0.1');
    const answers: string[] = [];
    let unread = '';
    socket.on('data', (chunk) => {
      const parts = (unread + String(chunk)).split('\r\n');
      unread = parts.pop() ?? '';
      answers.push(...parts);
      const isLast = answers.at(-1)?.[3] === ' ';
      if (isLast && waiting.length > 0) socket.write(`${waiting.shift()}\r\n`);
    });
    const waiting = [...lines];
    await once(socket, 'close');
    return answers;
  }
});

describe.each(databases)('limits of mails that come in on %s', (database) => {
  it('are for each address, and are answered with: later', async () => {
    const world = await openWorld(database, { environment: ENVIRONMENT, rateLimits: 'on' });
    const { max, server } = world;
    await max.post('/users/me/subscriptions', { subscriptions: [{ name: 'kitchen' }] });
    const { stream_id } = await max.get('/get_stream_id', { stream: 'kitchen' });
    const { email: to } = await max.get(`/streams/${stream_id}/email_address`);
    const receiver = receiverOf(server.context);
    const take = (number: number) => {
      const bytes = Buffer.from(`Message-ID: <${number}@x>\r\nSubject: x\r\n\r\nhello`);
      return receiver.take({ from: 'a@b.test', to, hash: '', read: () => readMail(bytes) });
    };
    for (let number = 0; number < 60; number++) await take(number);
    await expect(take(60)).rejects.toMatchObject({ responseCode: 451 });
    await world.close();
  });
});
