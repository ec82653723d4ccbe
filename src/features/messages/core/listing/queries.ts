import type { MessageId } from '#kernel/ids';
import { compiled, compiledRows, inParts, type RealmReadTx, sql } from '#kernel/store';
import { isOf } from '../queries.ts';
import { message, type MessageRow } from '../tables.ts';

/** Most bytes of a message's earlier versions that are read with it for a list. See protocol/messages#message-object. */
const MAX_LISTED_HISTORY = 50_000;

/** `findMessages` for lists: of a message with more earlier versions `edit_history` is empty, and they are not read. */
export async function findListed(tx: RealmReadTx, ids: readonly MessageId[]): Promise<readonly MessageRow[]> {
  if (ids.length === 0) return [];
  return listedById(tx, ids);
}

const BESIDE_HISTORY = Object.keys(message.columns).filter(
  (column): column is Exclude<keyof MessageRow, 'edit_history'> => column !== 'edit_history',
);
const listed = ({ db, realmId, dialect }: Pick<RealmReadTx, 'db' | 'realmId' | 'dialect'>, ids: readonly MessageId[]) =>
  db
    .selectFrom('message')
    .select(BESIDE_HISTORY)
    .select(
      sql<MessageRow['edit_history']>`case when octet_length(edit_history) > ${sql.lit(MAX_LISTED_HISTORY)}
        then '[]' else edit_history end`.as('edit_history'),
    )
    .where(isOf(realmId))
    .where(dialect.anyOf('id', ids))
    .orderBy('id');
const listedById = compiledRows(message, listed);

/** What each character of a conversation's people weighs, whose names and addresses come with each message. */
const PEOPLE_BYTES = 20;
/**
 * Bytes of the texts of a message that lists show, and of its conversation's people. They are known without reading the
 * texts.
 */
const TEXTS = sql<number>`octet_length(message.content) + octet_length(message.rendered_content)
  + case when octet_length(message.edit_history) <= ${sql.lit(MAX_LISTED_HISTORY)}
    then octet_length(message.edit_history) else 0 end
  + case when message.channel_id is null
    then coalesce((select octet_length(recipient.participants_key) * ${sql.lit(PEOPLE_BYTES)} from recipient
      where recipient.realm_id = message.realm_id and recipient.id = message.recipient_id), 0) else 0 end`;
/** Bytes of text that take as long as a reaction with its person, and as a part of a widget beside its own text. */
const [REACTION_BYTES, PART_BYTES] = [400, 200];
/**
 * Most reactions, and parts, of a message that are counted: these alone are more than several messages of an answer may
 * weigh, and a message can have very many.
 */
const MOST_COUNTED = 1000;
const REACTIONS = sql<number>`count(*) * ${sql.lit(REACTION_BYTES)}`;
const SUBMESSAGES = sql<number>`coalesce(sum(octet_length(counted.content) + ${sql.lit(PART_BYTES)}), 0)`;

/** Approximate bytes of a message with all that lists show with it. */
const WEIGHT = sql<number>`cast(${TEXTS}
  + (select ${REACTIONS} from (select 1 from reaction where reaction.realm_id = message.realm_id
    and reaction.message_id = message.id limit ${sql.lit(MOST_COUNTED)}) counted)
  + (select ${SUBMESSAGES} from (select content from submessage where submessage.realm_id = message.realm_id
    and submessage.message_id = message.id limit ${sql.lit(MOST_COUNTED)}) counted) as integer)`;

/** The weight of messages, ascending by ID. */
export async function weighMessages(tx: RealmReadTx, ids: readonly MessageId[]) {
  return (await inParts(ids, 1000, (some) => weightsById(tx, some))).flat();
}

const weightsById = compiled(({ db, realmId, dialect }, ids: readonly MessageId[]) =>
  db
    .selectFrom('message')
    .select(['id', WEIGHT.as('bytes')])
    .where(isOf(realmId))
    .where(dialect.anyOf('id', ids))
    .orderBy('id'),
);

/** `findListed` where all of them weigh at most `most` bytes together, otherwise nothing. */
export async function findLight(
  tx: RealmReadTx,
  ids: readonly MessageId[],
  most: number,
): Promise<readonly MessageRow[]> {
  return ids.length === 0 ? [] : lightById(tx, ids, most);
}

// One sum of a kind for all messages: a sum for each of them takes up to a quarter of the time of a page.
const lightById = compiledRows(message, (of, ids: readonly MessageId[], most: number) => {
  const { db, realmId, dialect } = of;
  const texts = db
    .selectFrom('message')
    .select(sql<number>`sum(${TEXTS})`.as('bytes'))
    .where(isOf(realmId))
    .where(dialect.anyOf('id', ids));
  const reactions = db
    .selectFrom('reaction')
    .select('id')
    .where('realm_id', '=', realmId)
    .where(dialect.anyOf('message_id', ids))
    .limit(MOST_COUNTED);
  const submessages = db
    .selectFrom('submessage')
    .select('content')
    .where('realm_id', '=', realmId)
    .where(dialect.anyOf('message_id', ids))
    .limit(MOST_COUNTED);
  return listed(of, ids).where(
    sql<number>`${texts} + (select ${REACTIONS} from (${reactions}) counted)
    + (select ${SUBMESSAGES} from (${submessages}) counted)`,
    '<=',
    most,
  );
});
