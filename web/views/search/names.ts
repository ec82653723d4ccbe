import { foldCase } from '#kernel/text';
import type { Client } from '../../client/index.ts';
import type { Term } from '../../messages/index.ts';
import { channelLook, faceOf } from '../shown.ts';
import type { SearchNames } from './parse.ts';

/** Looks up channels and people by the names in a search. */
export function searchNames({ model, names }: Client): SearchNames {
  return {
    channelNamed: (name) => names.channelNamed(name),
    personNamed: (name) => {
      const folded = foldCase(name);
      if (folded === 'me') return model.me;
      const isNamed = (text: string | null | undefined) => foldCase(text ?? '') === folded;
      return [...model.people.table.peekAll()].find(
        ([, { user }]) => isNamed(user.full_name) || isNamed(user.delivery_email) || isNamed(user.email),
      )?.[0];
    },
  };
}

/** Returns the name of a condition's operand. */
export function operandName(client: Client, operator: string, operand: Term['operand']): string {
  if (operator === 'channel' && typeof operand === 'number') return channelLook(client, operand).name;
  if (operator === 'sender' && typeof operand === 'number') return faceOf(client, operand).name;
  return typeof operand === 'object' ? operand.map((id) => faceOf(client, id).name).join(',') : String(operand);
}
