import type { Policy } from './tables.ts';

/** What somebody did in a topic. */
type Action = 'participate' | 'send' | 'start';

/** Actions by the number of the setting; 4 stands for never. See protocol/topics#automatic-policies. */
const ACTIONS: Readonly<Record<number, Action>> = { 1: 'participate', 2: 'send', 3: 'start' };

type Automatic = 'automatically_follow_topics_policy' | 'automatically_unmute_topics_in_muted_streams_policy';

/** Which policies a user's actions trigger by their settings. See protocol/topics#automatic-policies. */
export function triggered(
  settings: Readonly<Record<Automatic, number>>,
  actions: readonly Action[],
): { readonly follows: boolean; readonly unmutes: boolean } {
  const fires = (name: Automatic) => {
    const action = ACTIONS[settings[name]];
    return action !== undefined && actions.includes(action);
  };
  return {
    follows: fires('automatically_follow_topics_policy'),
    unmutes: fires('automatically_unmute_topics_in_muted_streams_policy'),
  };
}

const UNMUTED = 2;

/** The policy of a topic into which another topic was moved whole. See protocol/topics#moving-policies. */
export function migrated(here: Policy | 0, there: Policy | 0, targetHadMessages: boolean): Policy | 0 {
  if (!targetHadMessages || here === there) return here;
  return here === UNMUTED || there === UNMUTED ? UNMUTED : 0;
}

/** Most topics for which one person may have a policy. */
export const MAX_POLICIES = 10_000;
