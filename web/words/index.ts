import { english } from './english/index.ts';
import { readerOf } from './words.ts';

export {
  dayKey,
  dayTitle,
  formatNumber,
  fullDate,
  lately,
  listOf,
  longDay,
  shortDay,
  type TimeStyle,
  timeOfDay,
} from './dates.ts';

/** Names a text; the part before the point is the place where it is read. */
export type TextKey = keyof typeof english;
export const { t, pieces } = readerOf(english);
