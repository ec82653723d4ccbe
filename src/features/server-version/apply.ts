/** A client's state about the server's version. */
export interface VersionState {
  readonly zulip_version: string;
  readonly zulip_merge_base: string;
  readonly zulip_feature_level: number;
  readonly server_generation: number;
}

/** The state after a `restart` event. */
export function applyRestart(state: object, event: VersionState): VersionState {
  const { zulip_version, zulip_merge_base, zulip_feature_level, server_generation } = event;
  return { ...state, zulip_version, zulip_merge_base, zulip_feature_level, server_generation };
}
