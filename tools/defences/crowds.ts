import type { Defence } from './defence.ts';

const CROWDS = 'test/security/crowds.test.ts';
const NARROWS = 'src/features/messages/narrow/queries.ts';
const WALK = 'src/features/messages/narrow/walk.test.ts';
const IN_TURNS = 'src/features/scim/in-turns.test.ts';
const MOVE = 'src/features/message-edits/move.ts';
const STORAGE = 'src/features/bot-storage/bot-storage.test.ts';
const FLOODING = 'test/security/flooding.test.ts';
const USED_FILES = 'test/security/used-files.test.ts';
const EXPORTS = 'test/security/large-exports.test.ts';
const OLD = 'src/features/event-queues/old-entries.test.ts';
const QUEUES = 'src/features/event-queues/event-queues.test.ts';

/** Defences against requests whose work grows with the people or the messages of an organization. */
export const CROWDS_BORNE: readonly Defence[] = [
  {
    keeps: 'old entries from being looked through for many polls at once',
    file: 'src/kernel/events/portions.ts',
    from: `if (!this.#isWorking) void`,
    to: `void`,
    test: 'src/kernel/events/portions.test.ts',
    named: 'are worked on one at a time',
  },
  {
    keeps: 'one person from holding the events of many queues in memory at once',
    file: 'src/kernel/events/portions.ts',
    from: `if (hasBegun) own.unshift(portion);`,
    to: `if (hasBegun) own.push(portion);`,
    test: 'src/kernel/events/portions.test.ts',
    named: 'are worked on one at a time',
  },
  {
    keeps: 'others from waiting while old entries are looked through',
    file: 'src/kernel/events/portions.ts',
    from: `await this.#pause(this.#clock.monotonicMs() - began);`,
    to: `await this.#pause(0);`,
    test: 'src/kernel/events/portions.test.ts',
    named: 'leave others as much time as they take',
  },
  {
    keeps: 'a poll from looking through the same old entries as the one before',
    file: 'src/kernel/events/delivery.ts',
    from: `queue.quietId = Math.max(queue.quietId, entry.last_id);`,
    to: `queue.quietId = 0;`,
    test: OLD,
    named: 'looked through once',
  },
  {
    keeps: 'many polls of one queue from looking through old entries',
    file: 'src/kernel/events/delivery.ts',
    from: `if (queue.polls > number || this.#isStopped)`,
    to: `if (this.#isStopped)`,
    test: OLD,
    named: 'ends the one before',
  },
  {
    keeps: 'direct messages to many people from failing on PostgreSQL',
    file: 'src/migrations/2026-11-29T1900-large-conversations.ts',
    from: `        'drop index recipient_realm_id_participants_key',`,
    to: ``,
    test: 'src/features/messages/sending/send.test.ts',
    named: 'takes more people than an index of PostgreSQL has room for',
  },
  {
    keeps: 'notices of typing from reading everybody in a large channel',
    file: 'src/features/typing/actions.ts',
    from: `if (subscribers.length > MAX_RECEIVERS) return [];`,
    to: ``,
    test: 'src/features/typing/typing.test.ts',
    named: 'tells nobody in a channel of more than 100',
  },
  {
    keeps: 'queues from holding what their clients made up, in memory and on disk',
    file: 'src/features/event-queues/endpoints.ts',
    from: `return [...words].filter((word) => wanted.has(word)`,
    to: `return [...wanted].filter((word) => word !== ''`,
    test: QUEUES,
    named: 'keep no words of clients',
  },
  {
    keeps: 'queues from holding long narrows, in memory and on disk',
    file: 'src/features/event-queues/params.ts',
    from: `export const MAX_NARROW = 1000;`,
    to: `export const MAX_NARROW = 100_000;`,
    test: QUEUES,
    named: 'keep no words of clients',
  },
  {
    keeps: 'queues that nobody polls from staying in memory for a week',
    file: 'src/kernel/events/queues.ts',
    from: `Math.min(queue.idleSeconds, KEEP_UNUSED_SECONDS)`,
    to: `queue.idleSeconds`,
    test: QUEUES,
    named: 'leave memory when nobody polls them',
  },
  {
    keeps: 'events and lists of files from growing with the messages that use a file',
    file: 'src/features/uploads/wire.ts',
    from: `export const MAX_LISTED = 100;`,
    to: `export const MAX_LISTED = 100_000;`,
    test: USED_FILES,
    named: 'with the newest hundred',
  },
  {
    keeps: 'a message with hundreds of files from carrying all messages that use each of them',
    file: 'src/features/uploads/uses/queries.ts',
    from: `Math.floor(inAll / files)`,
    to: `Math.floor(inAll)`,
    test: USED_FILES,
    named: 'a thousand messages of all of them',
  },
  {
    keeps: 'opening a file from looking at all messages that use it',
    file: 'src/features/uploads/claims.ts',
    from: `{ each: 1000, inAll: 1000 }`,
    to: `{ each: 1_000_000, inAll: 1_000_000 }`,
    test: USED_FILES,
    named: 'newest or oldest thousand',
  },
  {
    keeps: 'an export from taking memory for a thousand messages with all their earlier versions',
    file: 'src/features/exports/messages.ts',
    from: `characters < FILE_CHARACTERS`,
    to: `characters < Infinity`,
    test: 'test/security/long-histories.test.ts',
    named: 'in files of a few megabytes',
  },
  {
    keeps: 'a list of messages from carrying a megabyte of earlier versions of each',
    file: 'src/features/messages/core/listing/queries.ts',
    from: `then '[]' else edit_history end`,
    to: `then edit_history else edit_history end`,
    test: 'test/security/long-histories.test.ts',
    named: 'only where they are short',
  },
  {
    keeps: 'registering from taking the square of what somebody has starred',
    file: NARROWS,
    from: `
        and f.message_id >= \${first} and f.message_id <= \${last})`,
    to: `)`,
    test: WALK,
    named: 'not with its square',
  },
  {
    keeps: 'a narrow from taking the square of what somebody has not read',
    file: NARROWS,
    from: `unreadOf(realmId, userId, window)`,
    to: `unreadOf(realmId, userId, EVERYTHING)`,
    test: WALK,
    named: '',
  },
  {
    keeps: 'others from waiting until thousands of people have a moved topic',
    file: MOVE,
    from: `Math.ceil(PAIRS_AT_ONCE / ids.length)`,
    to: `people.length`,
    test: CROWDS,
    named: 'moving a topic',
  },
  {
    keeps: 'a topic of any length from being moved for any number of people',
    file: MOVE,
    from: `const MAX_PAIRS = 5_000_000;`,
    to: `const MAX_PAIRS = 5_000_000_000;`,
    test: CROWDS,
    named: 'more than can be moved',
  },
  {
    keeps: 'registering from reading all at once that somebody has not read',
    file: 'src/features/messages/reading/unread/listing/queries.ts',
    from: `const AT_ONCE = 16_384;`,
    to: `const AT_ONCE = 2 ** 30;`,
    test: 'src/features/messages/reading/unread/queries.test.ts',
    named: 'is read in parts',
  },
  {
    keeps: 'others from waiting until a long topic is marked read',
    file: 'src/features/messages/reading/read-state.ts',
    from: `const READ_AT_ONCE = 2_500;`,
    to: `const READ_AT_ONCE = 2_500_000;`,
    test: CROWDS,
    named: 'marking a long topic read',
  },
  {
    keeps: 'others from waiting until a large group is compared with a filter of a directory',
    file: 'src/features/scim/filter/match.ts',
    from: `if (members.length > atOnce) await nextTurn();`,
    to: ``,
    test: IN_TURNS,
    named: 'while it is searched',
  },
  {
    keeps: 'others from waiting until members are removed by a filter of a directory',
    file: 'src/features/scim/group-values.ts',
    from: `if (index % atOnce === atOnce - 1) await nextTurn();`,
    to: ``,
    test: IN_TURNS,
    named: 'while members are removed',
  },
  {
    keeps: 'others from waiting until a large group is written for a directory',
    file: 'src/features/scim/resource.ts',
    from: `    await nextTurn();
`,
    to: ``,
    test: IN_TURNS,
    named: 'while it is written',
  },
  {
    keeps: 'others from waiting until the members of a large group are read beside those of a change',
    file: 'src/features/scim/group-values.ts',
    from: `    await nextTurn();
    this.#members = idsOf(this.#before['members'] ?? []);
    await nextTurn();
`,
    to: `    this.#members = idsOf(this.#before['members'] ?? []);
`,
    test: IN_TURNS,
    named: 'reads its members apart',
  },
  {
    keeps: 'phones that are gone from being looked for among those of all servers',
    file: 'src/features/push-gateway/queries.ts',
    from: `    .where(tx.dialect.anyOfText('token_id', ids))
`,
    to: ``,
    test: 'src/features/push-gateway/queries.test.ts',
    named: 'when these are gone',
  },
  {
    keeps: 'others from waiting until who came to which channel is exported',
    file: 'src/features/exports/channels.ts',
    from: `numberedPages(entries(scope, tx.now))`,
    to: `numbered([...entries(scope, tx.now)].flat())`,
    test: EXPORTS,
    named: 'lets others run',
  },
  {
    keeps: 'an export from holding all that bots have stored',
    file: 'src/features/bot-storage/queries.ts',
    from: `const PART_SIZE = 1_000_000;`,
    to: `const PART_SIZE = 1_000_000_000;`,
    test: EXPORTS,
    named: 'in parts of a million characters',
  },
  {
    keeps: 'everybody from getting any number of bots of one person',
    file: 'src/features/bots/create.ts',
    from: `if (!isAdministrator(actor)) await context.limits.take('new-bot', String(actor.userId));`,
    to: ``,
    test: FLOODING,
    named: 'bots, but for administrators',
  },
  {
    keeps: 'moderators from getting any number of reports of one person',
    file: 'src/features/message-reports/actions.ts',
    from: `await context.limits.take('message-report', String(actor.userId));`,
    to: ``,
    test: FLOODING,
    named: 'reports of messages',
  },
  {
    keeps: 'the disk from a member who stores short messages with a megabyte of HTML',
    file: 'src/features/messages/sending/outgoing.ts',
    from: `if (length > LARGE_HTML)`,
    to: `if (length > LARGE_HTML * 1000)`,
    test: FLOODING,
    named: 'HTML of large messages',
  },
  {
    keeps: 'others from waiting until any number of stored keys are read',
    file: 'src/features/bot-storage/actions.ts',
    from: `if (count + rows.length > MAX_KEYS) throw TooManyKeys();`,
    to: ``,
    test: STORAGE,
    named: 'has at most 10,000 keys',
  },
  {
    keeps: 'ten million stored characters from being read and serialized at once',
    file: 'src/features/bot-storage/queries.ts',
    from: `const ANSWER_PART_SIZE = 250_000;`,
    to: `const ANSWER_PART_SIZE = 250_000_000;`,
    test: STORAGE,
    named: 'takes room for each part before the next is read',
  },
  {
    keeps: 'memory from answers with all that several accounts have stored, at the same time',
    file: 'src/kernel/endpoint/in-parts.ts',
    from: `      room.take(piece.length);
`,
    to: ``,
    test: STORAGE,
    named: 'takes room for each part before the next is read',
  },
];
