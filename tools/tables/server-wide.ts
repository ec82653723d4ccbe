// Statements that name no organization, each with its reason. An entry is a room and a declaration in it, or a room and
// a table whose rows of every organization the room may touch. A superfluous entry is a fault.

const WORK = 'runs and leases are of the whole server; the row says for which organization it works';
const QUEUE = 'an ID is a secret of 128 bits, and the row found says whose queue it is';
const PARTICIPANTS = 'rows of one user, who belongs to one organization, tied to conversations by their ID';
const OVER = 'deletes what has run out, of all organizations';
const SWEEP = 'a sweep of the store of files, which all organizations share';

export const SERVER_WIDE: Readonly<Record<string, string>> = {
  'kernel/auth writeKeyUses': 'IDs of keys that were found in their organizations before',
  'kernel/events event_queue': QUEUE,
  'kernel/events neededPositions': 'what each organization still needs of its log, to cut all of them',
  'kernel/jobs job': WORK,
  'features/data-exports knownKeys': SWEEP,
  'features/incoming-mail deleteReceivedBefore': OVER,
  'features/invitations countOfYoung': 'young organizations share a bound on mails',
  'features/messages conversationLists': PARTICIPANTS,
  'features/messages directLists': PARTICIPANTS,
  'features/messages isReceived': 'a condition on a message that the statement around it has found in its organization',
  'features/messages isReceivedAlone':
    'a condition on a message that the statement around it has found in its organization',
  'features/notifications deletePushedUpTo': OVER,
  'features/notifications listOldestPushed': OVER,
  'features/push-devices countRoles': 'counts accounts of each organization',
  'features/realms formerRealm': 'finds the organization, by a name that is unique on the server',
  'features/realms upsertFormerSubdomain': 'names are unique on the server',
  'features/sign-in insertOneTimeLink': OVER,
  'features/sign-in insertSpent': OVER,
  'features/single-sign-on insertSamlAnswer': OVER,
  'features/topics reachedBy': 'a condition on a message that the statement around it has found in its organization',
  'features/undelivered countUndelivered': 'what the operator is shown of the whole server',
  'features/uploads deleteUnfinished': 'paths are unique on the server, and this one was found in its organization',
  'features/uploads listStored': SWEEP,
  'features/uploads listUnfinishedBefore': OVER,
  'features/uploads readUnfinished': 'of the whole server, too, whose disk is bounded',
  'features/uploads withoutAttachment': SWEEP,
  'features/uploads withoutPiece': SWEEP,
};
