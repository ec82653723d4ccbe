import { asId, type ChannelId, type UserId } from '#kernel/ids';
import { wholeFractionsBroken } from '#kernel/text';
import {
  InvalidChannelData,
  InvalidRecipientData,
  MissingChannel,
  OneChannelExpected,
  RecipientsMissing,
  RecipientsMixed,
} from './errors.ts';

const MAY_BE_JSON = /^[\s[{"\-\dtfn]/;

/** The channel a message is for, by ID or name. */
export type ChannelAddress = { readonly id: ChannelId } | { readonly name: string };
/** The people a message is for, by ID or address. */
export type PeopleAddress = { readonly ids: readonly UserId[] } | { readonly emails: readonly string[] };

/** Reads the `to` of a channel message. See protocol/messages#addresses. */
export function parseChannelAddress(text: string | undefined): ChannelAddress {
  if (text === undefined) throw MissingChannel();
  const value = parseJson(text, text);
  const one = Array.isArray(value) ? onlyOne(value) : value;
  if (typeof one === 'string') return { name: one.trim() };
  if (Number.isSafeInteger(one) && typeof one === 'number') return { id: asId<ChannelId>(one) };
  throw InvalidChannelData();
}

/** Reads the `to` of a direct message. See protocol/messages#addresses. */
export function parsePeopleAddress(text: string | undefined): PeopleAddress {
  if (text === undefined) throw RecipientsMissing();
  const value = parseJson(text, text);
  if (typeof value === 'string') return emailsOf(value.split(','));
  if (!Array.isArray(value)) throw InvalidRecipientData();
  const items: readonly unknown[] = value;
  if (items.length === 0) throw RecipientsMissing();
  if (items.every((item) => typeof item === 'number' && Number.isSafeInteger(item))) {
    return { ids: [...new Set(items.map((item) => asId<UserId>(Number(item))))] };
  }
  if (items.every((item) => typeof item === 'string')) return emailsOf(items.map(String));
  throw items.every((item) => typeof item === 'string' || typeof item === 'number')
    ? RecipientsMixed()
    : InvalidRecipientData();
}

function emailsOf(texts: readonly string[]): PeopleAddress {
  const emails = texts.map((text) => text.trim()).filter((text) => text !== '');
  if (emails.length === 0) throw RecipientsMissing();
  return { emails: [...new Set(emails)] };
}

function onlyOne(list: readonly unknown[]): unknown {
  if (list.length !== 1) throw OneChannelExpected();
  return list[0];
}

function parseJson(text: string, fallback: unknown): unknown {
  // Most addresses are plain names, and a failed parse costs more than everything else here.
  if (!MAY_BE_JSON.test(text)) return fallback;
  try {
    return JSON.parse(wholeFractionsBroken(text) ?? text);
  } catch {
    return fallback;
  }
}
