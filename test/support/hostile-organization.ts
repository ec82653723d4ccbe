import type { Furnishing } from './furnished.ts';
import { hostileNames } from './hostile-markup.ts';

/** Returns different hostile names, without the characters that such a name may not contain and cut to its length. */
function namesOf(taken: RegExp, most: number): readonly string[] {
  const names = hostileNames.map((piece) => [...piece.replace(taken, '')].slice(0, most).join('').trim());
  return [...new Set(names.filter((name) => name !== ''))];
}

/** Words that can break a layout: one without a place to break, changes of direction, stacked diacritics. */
const PUSHING = [
  'W'.repeat(60),
  '\u202eevil\u202c txt.exe',
  'Z\u0351\u0368\u0357\u036b\u030d\u0351\u033f'.repeat(7),
  '﷽﷽﷽﷽﷽﷽﷽﷽﷽﷽',
] as const;

/** Fragments of the addresses that show the hostile texts. */
export interface Hostile {
  readonly hashes: readonly string[];
}

/**
 * Puts hostile markup and layout-breaking words wherever the organization shows a text of somebody: names, channels,
 * topics, groups, fields, files, widgets, drafts. Texts that the server refuses are left out.
 */
export async function addHostile(at: Furnishing): Promise<Hostile> {
  const tried = { made: 0, refused: 0 };
  const attempt = async (...call: Parameters<Furnishing['call']>) => {
    try {
      const body = await at.call(...call);
      tried.made++;
      return body;
    } catch {
      tried.refused++;
      return {};
    }
  };
  const [img, script, style] = ['<img src=x onerror=ran.push(1)>', '</script><script>ran.push(1)</script>', PUSHING[0]];
  const { user_id: max } = await at.account('member');
  const names = [...namesOf(/[*`\\>"@]/gu, 60).slice(0, 6), ...PUSHING];
  for (const [index, full_name] of names.entries())
    await attempt('owner', 'POST', '/users', {
      email: `hostile${index}@roost.test`,
      password: 'three nests in the tower',
      full_name,
    });
  const channels: number[] = [];
  for (const [index, name] of [img, script.slice(0, 60), `${style}`.slice(0, 60), PUSHING[1]].entries()) {
    const description = [...hostileNames].slice(index * 10, index * 10 + 10).join(' ');
    await attempt('member', 'POST', '/users/me/subscriptions', { subscriptions: [{ name, description }] });
    const found = await attempt('member', 'GET', '/get_stream_id', { stream: name });
    if (found['stream_id'] !== undefined) channels.push(Number(found['stream_id']));
  }
  const [channel = 1] = channels;
  for (const topic of [...namesOf(/\p{Cc}/gu, 60).slice(0, 12), ...PUSHING.map((one) => one.slice(0, 60))])
    await attempt('member2', 'POST', '/messages', { type: 'stream', to: String(channel), topic, content: topic });
  for (const piece of hostileNames)
    await attempt('member2', 'POST', '/messages', {
      type: 'stream',
      to: String(channel),
      topic: 'corpus',
      content: `${piece}\n\n**${piece}** \`${piece}\``,
    });
  for (const content of [
    `/poll ${img}\n${script}\n${style}`,
    `/todo ${img}\n${script}: ${img}\n${style}: ${style}`,
    `/me ${img}${style}`,
  ])
    await attempt('member2', 'POST', '/messages', { type: 'stream', to: String(channel), topic: 'corpus', content });
  const sent = await attempt('member', 'POST', '/messages', {
    type: 'stream',
    to: String(channel),
    topic: 'corpus',
    content: '/poll Who?\nAnybody',
  });
  const parts = [
    { type: 'new_option', idx: 1, option: img },
    { type: 'vote', key: '__proto__', vote: 1 },
    { type: img },
    [script],
    null,
    7,
  ];
  for (const part of parts)
    await attempt('member', 'POST', '/submessage', {
      message_id: sent['id'],
      msg_type: 'widget',
      content: JSON.stringify(part),
    });
  const file = await at.upload('member2', '/user_uploads', `${img}.png`, Buffer.from('no picture'));
  await attempt('member2', 'POST', '/messages', {
    type: 'stream',
    to: String(channel),
    topic: 'corpus',
    content: `[${img}](${file}) [${style}](${file})`,
  });
  for (const name of [img, style, PUSHING[2]]) {
    await attempt('owner', 'POST', '/user_groups/create', { name, description: script + style, members: [max] });
    await attempt('owner', 'POST', '/channel_folders/create', { name, description: script });
    await attempt('owner', 'POST', '/realm/profile_fields', {
      name: name.slice(0, 40),
      hint: script.slice(0, 80),
      field_type: 1,
    });
    await attempt('member', 'POST', '/bots', { full_name: name.replace(/[<>*"]/g, ''), short_name: `b${name.length}` });
    await attempt('member', 'POST', '/saved_snippets', { title: name, content: script });
    await attempt('member', 'POST', '/users/me/alert_words', { alert_words: [name] });
    await attempt('owner', 'POST', '/realm/playgrounds', {
      name,
      pygments_language: 'Python',
      url_template: 'https://play.example.com/?{code}',
    });
    const draft = {
      type: 'stream',
      to: [channel],
      topic: name.slice(0, 60),
      content: script + name,
      timestamp: 1_700_000_000,
    };
    await attempt('member', 'POST', '/drafts', { drafts: [draft] });
    await attempt('member', 'POST', '/scheduled_messages', {
      type: 'stream',
      to: channel,
      topic: name.slice(0, 60),
      content: script + name,
      scheduled_delivery_timestamp: 4_000_000_000,
    });
  }
  await attempt('owner', 'POST', '/realm/filters', {
    pattern: 'EVIL(?P<x>.+)',
    url_template: 'https://evil.test/{x}',
    example_input: `EVIL${img}`,
  });
  await attempt('member2', 'POST', '/users/me/status', { status_text: img.repeat(2).slice(0, 60) });
  await attempt('owner', 'PATCH', '/realm', {
    name: '<b onclick=ran.push(1)>Rookery</b>',
    description: hostileNames.join(' ').slice(0, 900),
  });
  if (tried.made < 100) throw new Error(`only ${tried.made} hostile texts were taken, ${tried.refused} refused`);
  const narrow = `#narrow/channel/${channel}`;
  return {
    hashes: [
      `${narrow}/topic/corpus`,
      narrow,
      `#topics/channel/${channel}`,
      `#channels/${channel}/-/general`,
      `#channels/${channel}/-/subscribers`,
    ],
  };
}
