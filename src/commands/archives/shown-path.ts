import { takeCodePoints } from '#kernel/text';

/** Most code points of a path that an error shows. */
const MAX_SHOWN = 100;

/** The part of a path in an archive that an error shows. */
export const shownPath = (path: string): string => takeCodePoints(path, MAX_SHOWN);
