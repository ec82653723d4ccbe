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
export { pieces, type TextKey, t } from './words.ts';
