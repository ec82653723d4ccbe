import type { RealmRef } from '#kernel/auth';

/** What is moved: a whole topic, or a number of messages. */
type Moved = 'topic' | number;

/** The texts of notices about moves in one language, in Markdown. `by` is who moved. See protocol/editing#move-notices. */
interface NoticeWords {
  readonly toggled: (state: 'resolved' | 'unresolved', by: string) => string;
  /** `place` is where the messages are now. */
  readonly left: (moved: Moved, place: string, by: string) => string;
  /** `place` is where the messages were; `first` is the address of the message if it is one. */
  readonly arrived: (moved: Moved, place: string, by: string, first: string | undefined) => string;
}

const english: NoticeWords = {
  toggled: (state, by) => `${by} has marked this topic as ${state}.`,
  left: (moved, place, by) => {
    const what =
      moved === 'topic'
        ? 'This topic was moved'
        : `${moved === 1 ? 'A message was' : `${moved} messages were`} moved from this topic`;
    return `${what} to ${place} by ${by}.`;
  },
  arrived: (moved, place, by, first) => {
    const one = first === undefined ? 'A message' : `[A message](${first})`;
    const what = moved === 'topic' ? 'This topic was' : moved === 1 ? `${one} was` : `${moved} messages were`;
    return `${what} moved here from ${place} by ${by}.`;
  },
};

const german: NoticeWords = {
  toggled: (state, by) =>
    `${by} hat dieses Thema als ${state === 'resolved' ? 'erledigt' : 'nicht erledigt'} markiert.`,
  left: (moved, place, by) => {
    const what =
      moved === 'topic'
        ? 'Dieses Thema wurde'
        : moved === 1
          ? 'Eine Nachricht wurde aus diesem Thema'
          : `${moved} Nachrichten wurden aus diesem Thema`;
    return `${what} von ${by} nach ${place} verschoben.`;
  },
  arrived: (moved, place, by, first) => {
    const one = first === undefined ? 'Eine Nachricht' : `[Eine Nachricht](${first})`;
    const what =
      moved === 'topic' ? 'Dieses Thema wurde' : moved === 1 ? `${one} wurde` : `${moved} Nachrichten wurden`;
    return `${what} von ${by} aus ${place} hierher verschoben.`;
  },
};

/** Returns the texts in the organization's language; English takes the place of one that is not here. */
export function noticeWordsOf({ language }: Pick<RealmRef, 'language'>): NoticeWords {
  return language === 'de' ? german : english;
}

/** Whether a text is a notice about resolving, in any language: the organization may have changed its own since. */
export function isToggleNotice(content: string): boolean {
  return /(?: has marked this topic as (?:un)?resolved| hat dieses Thema als (?:nicht )?erledigt markiert)\.$/.test(
    content,
  );
}
