import { locale, type TimeStyle } from '../words/index.ts';
import type { Model } from './model.ts';

/** Returns how times are written for the viewer. */
export function timeStyleOf({ facts }: Pick<Model, 'facts'>): TimeStyle {
  return { locale: locale(), timeZone: undefined, hour12: facts.get('user_settings')?.twenty_four_hour_time === false };
}
