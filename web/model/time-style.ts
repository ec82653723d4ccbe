import { has12Hours, locale, type TimeStyle } from '../words/index.ts';
import type { Model } from './model.ts';

/** Returns how times are written for the viewer. */
export function timeStyleOf({ facts }: Pick<Model, 'facts'>): TimeStyle {
  const hour12 = has12Hours() && facts.get('user_settings')?.twenty_four_hour_time === false;
  return { locale: locale(), timeZone: undefined, hour12 };
}
