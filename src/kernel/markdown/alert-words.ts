import type { UserId } from '#kernel/ids';

/** An alert word of a user; can be several words. */
export interface AlertWord {
  readonly user_id: UserId;
  readonly word: string;
}

/** All alert words of a realm, prepared for searching. Must be rebuilt when they change. */
export interface AlertWords {
  /** Returns the users with an alert word in the text (protocol/markdown#alert-words). */
  usersAlertedBy(text: string): Set<UserId>;
  /** Adds words; for callers with tens of thousands of them, who build the tree in parts. */
  add(words: readonly AlertWord[]): void;
}

const before = ' \n(".,\';[*`>';
const after = " \n)?:.,';]!*`";

/** A node of the tree of letters, with the users whose word ends at it. */
interface Branch {
  readonly next: Map<number, Branch>;
  readonly users: UserId[];
}

/** Builds a tree of the words, so that one pass over a text finds all of them. */
export function alertWords(words: readonly AlertWord[]): AlertWords {
  const root: Branch = { next: new Map(), users: [] };
  const add = (more: readonly AlertWord[]) => {
    for (const { user_id, word } of more) {
      const lower = word.trim().toLowerCase();
      if (lower !== '') branchFor(root, lower).users.push(user_id);
    }
  };
  add(words);
  return { add, usersAlertedBy: (text) => (root.next.size === 0 ? new Set() : search(root, text.toLowerCase())) };
}

function branchFor(root: Branch, word: string): Branch {
  let branch = root;
  for (let index = 0; index < word.length; index++) {
    const unit = word.charCodeAt(index);
    const next: Branch = branch.next.get(unit) ?? { next: new Map(), users: [] };
    branch.next.set(unit, next);
    branch = next;
  }
  return branch;
}

function search(root: Branch, text: string): Set<UserId> {
  const found = new Set<UserId>();
  for (let start = 0; start < text.length; start++) {
    if (start > 0 && !before.includes(text.charAt(start - 1))) continue;
    let branch = root.next.get(text.charCodeAt(start));
    for (let index = start + 1; branch; branch = branch.next.get(text.charCodeAt(index++))) {
      if (branch.users.length > 0 && (index === text.length || after.includes(text.charAt(index))))
        for (const user of branch.users) found.add(user);
    }
  }
  return found;
}
