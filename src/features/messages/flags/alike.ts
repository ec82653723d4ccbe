import type { MessageId, UserId } from '#kernel/ids';

/** People about whom the same messages are told, who share an event. */
export interface Audience {
  readonly users: readonly UserId[];
  readonly messages: readonly MessageId[];
}

/** Collects people by their messages. */
export class Alike {
  readonly #groups = new Map<string, { readonly users: UserId[]; readonly messages: readonly MessageId[] }>();

  add(userId: UserId, messages: readonly MessageId[]): void {
    const key = messages.join();
    const group = this.#groups.get(key);
    if (group) group.users.push(userId);
    else this.#groups.set(key, { users: [userId], messages });
  }

  get all(): readonly Audience[] {
    return [...this.#groups.values()];
  }
}
