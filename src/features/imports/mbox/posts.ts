import { foldCase } from '#kernel/text';
import type { Post } from '../neutral/index.ts';
import type { Mail } from './mails.ts';

/** Conversations, and what they are about: the subject of the mail that each began with. */
export class Subjects {
  /** The mail that a conversation began with, by the ID of each mail in it. */
  readonly #roots = new Map<string, string>();
  readonly #subjects = new Map<string, string>();

  note({ id, before, subject }: Mail): void {
    if (id === '') return;
    const known = before.find((one) => this.#roots.has(one));
    const root = known === undefined ? (before[0] ?? id) : (this.#roots.get(known) ?? id);
    for (const one of [...before, id]) if (!this.#roots.has(one)) this.#roots.set(one, root);
    if (root === id || !this.#subjects.has(root)) this.#subjects.set(root, withoutMarks(subject));
  }

  topicOf({ id, subject }: Mail): string {
    const found = this.#subjects.get(this.#roots.get(id) ?? '') ?? withoutMarks(subject);
    return found === '' ? 'no subject' : found;
  }
}

/** A subject without what programs put before it: replies, and names of lists. */
function withoutMarks(subject: string): string {
  const plain = subject.replaceAll(/\s+/g, ' ').trim();
  const shorter = plain.replace(/^(?:(?:re|aw|sv|antw|fwd?|wg)(?:\[\d+\])?\s*:|\[[^\]]{1,60}\])\s*/i, '');
  return shorter === plain || shorter === '' ? plain : withoutMarks(shorter);
}

/** The message that a mail becomes. */
export function postOf(mail: Mail, subjects: Subjects): Post {
  return {
    key: mail.id === '' ? mail.place : mail.id,
    place: mail.place,
    author: foldCase(mail.from.address),
    channel: mail.list,
    topic: subjects.topicOf(mail),
    at: mail.at,
    editedAt: null,
    text: mail.text,
    files: mail.files,
    reactions: [],
  };
}
