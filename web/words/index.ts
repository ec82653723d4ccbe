import { english } from './english/index.ts';
import { type Reader, readerOf } from './words.ts';

export {
  dateAndTime,
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
export { has12Hours, language, LANGUAGES, locale, speak } from './language.ts';
export { compareNames } from './names.ts';
export { isolated } from '#kernel/text';

/** Key of a text; the part before the dot names the view that shows it. */
export type TextKey = keyof typeof english;
type Texts = Reader<typeof english>;
const texts: Texts = readerOf(english);
export const t: Texts['t'] = texts.t;
export const pieces: Texts['pieces'] = texts.pieces;
