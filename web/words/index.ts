export {
  dayKey,
  dayTitle,
  formatNumber,
  fullDate,
  listOf,
  longDay,
  shortDay,
  type TimeStyle,
  timeOfDay,
} from './dates.ts';
export { pieces, type TextKey, t } from './words.ts';
