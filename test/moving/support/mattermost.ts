import type { Contents } from './imported.ts';

const AT = 1_714_550_400_000;

/** One line of a bulk export for each thing, as the product's documentation describes them; with people we made up. */
export const LINES: readonly object[] = [
  { type: 'version', version: 1 },
  { type: 'emoji', emoji: { name: 'heron', image: 'emoji/heron/image' } },
  { type: 'emoji', emoji: { name: 'lost', image: 'emoji/lost/image' } },
  { type: 'team', team: { name: 'birds', display_name: 'Birds', type: 'O' } },
  channel('town-square', 'Town Square', 'O'),
  channel('eggs', 'Eggs', 'P'),
  {
    type: 'user',
    user: {
      username: 'wanda',
      email: 'wanda@birds.test',
      first_name: 'Wanda',
      last_name: 'Wren',
      roles: 'system_admin system_user',
      profile_image: '/data/users/wanda.png',
      favourite_food: 'worms',
      teams: [{ name: 'birds', channels: [{ name: 'town-square' }, { name: 'eggs' }] }],
    },
  },
  {
    type: 'user',
    user: {
      username: 'felix.f',
      email: 'felix@birds.test',
      nickname: 'Felix',
      roles: 'system_user',
      teams: [{ name: 'birds', channels: [{ name: 'town-square' }] }],
    },
  },
  { type: 'user', user: { username: 'gina', email: 'gina@birds.test', nickname: 'Felix', delete_at: AT } },
  { type: 'bot', bot: { username: 'builder', display_name: 'Build Bot', owner: 'wanda' } },
  post('felix.f', 5, 'later than the thread: ~eggs `~eggs @wanda`'),
  post('wanda', 1, '**Where** do we breed, @felix.f? @gina @nobody @all', {
    edit_at: AT + 60_000,
    reactions: [
      { user: 'felix.f', emoji_name: 'heron', create_at: AT },
      { user: 'felix.f', emoji_name: 'tada', create_at: AT },
      { user: 'felix.f', emoji_name: 'no-such', create_at: AT },
    ],
    replies: [
      { user: 'felix.f', message: 'here', create_at: AT + 9000, attachments: [{ path: '20240501/map.txt' }] },
      { user: 'builder', message: '', create_at: AT + 9500, attachments: [{ path: '20240501/gone.txt' }] },
    ],
  }),
  post('wanda', 2, 'wanda joined the team', { type: 'system_join_team' }),
  post('builder', 3, '', {
    props: { attachments: [{ title: 'Build 7', title_link: 'https://ci.test/7', text: 'failed' }] },
  }),
  post('wanda', 4, 'three', {}, 'eggs'),
  { type: 'direct_channel', direct_channel: { members: ['wanda', 'felix.f'] } },
  {
    type: 'direct_post',
    direct_post: { channel_members: ['felix.f', 'wanda'], user: 'felix.f', message: 'psst', create_at: AT + 6000 },
  },
  { type: 'scoreboard', scoreboard: {} },
];

function channel(name: string, display_name: string, type: string): object {
  return { type: 'channel', channel: { team: 'birds', name, display_name, type, purpose: `All of ${name}` } };
}

function post(user: string, second: number, message: string, more: object = {}, place = 'town-square'): object {
  return {
    type: 'post',
    post: { team: 'birds', channel: place, user, message, create_at: AT + second * 1000, ...more },
  };
}

/** A bulk export with its data folder. */
export function mattermostArchive(picture: Uint8Array, lines: readonly object[] = LINES): Contents {
  return {
    'import.jsonl': `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`,
    'data/emoji/heron/image': picture,
    'data/users/wanda.png': picture,
    'data/20240501/map.txt': 'three trees',
  };
}
