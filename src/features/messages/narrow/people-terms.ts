import { findDirectRecipient } from '#features/recipients';
import { findByVisibleEmails, findUser, findUsers } from '#features/users';
import { asId, MAX_ID, type UserId } from '#kernel/ids';
import { foldCase } from '#kernel/text';
import { BadNarrow } from '../core/index.ts';
import type { Resolving, Resolved, Term } from './terms.ts';
import * as where from './queries.ts';

/** Resolves `dm`: the conversation with exactly these people and the reader. */
export async function resolveDirect(resolving: Resolving, operand: Term['operand']): Promise<Resolved> {
  const { tx, reader } = resolving;
  const people = await peopleOf(resolving, operand);
  if (people.length === 0) return { condition: where.never, isEmpty: true };
  const recipient = await findDirectRecipient(tx, [...people, reader.userId]);
  if (recipient === undefined) return { condition: where.never, isEmpty: true };
  return { condition: where.inConversation(recipient), isNarrow: true };
}

async function peopleOf({ tx, host }: Resolving, operand: Term['operand']): Promise<readonly UserId[]> {
  if (typeof operand === 'string') {
    const emails = operand.split(',').map((email) => email.trim());
    const found = await findByVisibleEmails(tx, emails, host);
    return emails.map((email) => {
      const row = found.get(foldCase(email));
      if (!row) throw BadNarrow({ desc: `unknown user in ${operand}` });
      return row.id;
    });
  }
  const ids = (typeof operand === 'number' ? [operand] : operand).map((id) => asId<UserId>(id));
  const found = await findUsers(tx, ids);
  if (ids.some((id) => !found.has(id))) throw BadNarrow({ desc: `unknown user in [${ids.join(', ')}]` });
  return ids;
}

/** Finds the user with an ID or a visible address. */
export async function person({ tx, host }: Resolving, operand: Term['operand']): Promise<UserId> {
  const row =
    typeof operand === 'number'
      ? await findUser(tx, asId<UserId>(operand > MAX_ID ? 0 : operand))
      : (await findByVisibleEmails(tx, [String(operand)], host)).get(foldCase(String(operand).trim()));
  if (!row) throw BadNarrow({ desc: `unknown user ${String(operand)}` });
  return row.id;
}
