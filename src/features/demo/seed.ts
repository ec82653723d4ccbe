import type { RealmRef } from '#kernel/auth';
import type { Context } from '#kernel/context';
import { listRealms } from '#features/realms';
import type { UserRow } from '#features/users';
import { insertPeople, type People } from './people.ts';

type Method = 'POST' | 'PATCH' | 'DELETE';
type Fields = Readonly<Record<string, unknown>>;

/**
 * Calls the API as an account and returns the body of a successful reply. The demo is made through the API, as by
 * clients.
 */
export type Call = (account: UserRow, method: Method, path: string, fields: Fields) => Promise<Record<string, unknown>>;

/** Creates the demo organization in an empty database; does nothing if there is an organization. */
export async function seedDemo(context: Context, call: Call): Promise<void> {
  if ((await context.store.query((tx) => listRealms(tx))).length > 0) return;
  const { realm, people } = await insertPeople(context);
  await makeChannels(call, realm, people);
  await talk(call, people);
  await call(people.olive, 'POST', '/channels/create', {
    name: 'attic',
    description: 'Where old things are kept',
    subscribers: [people.olive.id],
  }).then(({ id }) => call(people.olive, 'DELETE', `/streams/${String(id)}`, {}));
}

async function makeChannels(call: Call, realm: RealmRef, people: People): Promise<void> {
  const { olive, adam, mona, max, mia, gus } = people;
  const members = [olive, adam, mona, max, mia].map((person) => person.id);
  const make = (name: string, description: string, principals: readonly number[], fields: Fields = {}) =>
    call(olive, 'POST', '/users/me/subscriptions', { subscriptions: [{ name, description }], principals, ...fields });
  await make('general', 'For everyone', [...members, gus.id], { is_default_stream: true });
  await make('design', 'How things look and read', members, { is_default_stream: true });
  await make('announcements', 'News from the administrators', members, {
    can_send_message_group: realm.groups['role:administrators'],
  });
  await make('leadership', 'Plans that are not ready', [olive.id, adam.id, mona.id], {
    invite_only: true,
    history_public_to_subscribers: false,
  });
  await make('lounge', 'Open to the whole web', members, { is_web_public: true });
}

async function talk(call: Call, { olive, adam, mona, max, mia, gus }: People): Promise<void> {
  const say = async (who: UserRow, to: string, topic: string, content: string) =>
    (await call(who, 'POST', '/messages', { type: 'channel', to, topic, content, read_by_sender: true }))['id'];
  const tell = (who: UserRow, to: UserRow, content: string) =>
    call(who, 'POST', '/messages', { type: 'direct', to: [to.id], content, read_by_sender: true });
  const react = (who: UserRow, id: unknown, emoji_name: string) =>
    call(who, 'POST', `/messages/${String(id)}/reactions`, { emoji_name });

  const welcome = await say(olive, 'general', 'welcome', 'Welcome to **Roost**! Say hello in this topic.');
  await say(max, 'general', 'welcome', 'Hello everyone :wave:');
  await say(gus, 'general', 'welcome', 'Glad to be a guest here.');
  await react(mia, welcome, 'tada');
  await react(max, welcome, 'thumbs_up');
  const lunch = await say(mia, 'general', 'lunch', 'Soup at noon?');
  await call(mia, 'PATCH', `/messages/${String(lunch)}`, { content: 'Soup at half past twelve?' });
  await say(mona, 'general', 'lunch', 'Count me in.');
  await say(mia, 'design', 'logo', 'A rook on a branch, or a rook in flight?');
  await say(max, 'design', 'logo', 'In flight:\n```\n /\\_/\\\n```');
  await say(mia, 'design', 'colours', 'Try `#76ce90` on the dark theme.');
  await say(adam, 'announcements', 'maintenance', 'The server restarts on Sunday at 09:00.');
  await say(olive, 'announcements', 'holidays', 'The office is closed on Friday.');
  await say(olive, 'leadership', 'budget', 'The numbers for next year are in.');
  await say(mona, 'leadership', 'budget', 'I have two questions about travel.');
  await say(mia, 'lounge', 'books', 'What are you reading?');
  await say(max, 'lounge', 'books', 'A book about rooks, of course.');
  await tell(max, mia, 'Did you see the new logo?');
  await tell(mia, max, 'I drew it!');
  await call(max, 'POST', '/messages', {
    type: 'direct',
    to: [mia.id, mona.id],
    content: 'Shall we three meet tomorrow?',
    read_by_sender: true,
  });
}
