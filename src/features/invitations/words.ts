import type { RealmRef } from '#kernel/auth';

/** The texts about somebody who joined, in one language, in Markdown. See protocol/invitations#joining. */
interface JoinWords {
  readonly accepted: (user: string) => string;
  readonly joined: (user: string) => string;
}

const english: JoinWords = {
  accepted: (user) => `${user} accepted your invitation to join this organization!`,
  joined: (user) => `${user} joined this organization.`,
};

const german: JoinWords = {
  accepted: (user) => `${user} hat deine Einladung in diese Organisation angenommen.`,
  joined: (user) => `${user} ist dieser Organisation beigetreten.`,
};

/** Returns the texts in the organization's language; English takes the place of one that is not here. */
export function wordsOf({ language }: Pick<RealmRef, 'language'>): JoinWords {
  return language === 'de' ? german : english;
}
