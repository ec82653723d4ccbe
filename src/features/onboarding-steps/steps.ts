import type { WireStep } from './wire.ts';

/** The hints of clients. See protocol/settings#small-operations. */
const STEPS = [
  'visibility_policy_banner',
  'intro_inbox_view_modal',
  'intro_recent_view_modal',
  'first_stream_created_banner',
  'jump_to_conversation_banner',
  'non_interleaved_view_messages_fading',
  'interleaved_view_messages_fading',
  'intro_resolve_topic',
  'navigation_tour_video',
];

/** Not offered, because there is no video. */
const UNSHOWN = 'navigation_tour_video';

export function isStep(name: string): boolean {
  return STEPS.includes(name);
}

/** The hints that somebody has not read. */
export function remainingSteps(read: ReadonlySet<string>): WireStep[] {
  return STEPS.filter((name) => name !== UNSHOWN && !read.has(name)).map((name) => ({ type: 'one_time_notice', name }));
}
