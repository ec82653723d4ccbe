/** Returns the groups after a `default_stream_groups` event, which carries all of them. */
export function applyDefaultGroupsEvent(
  _state: object,
  event: { readonly default_stream_groups: readonly object[] },
): { realm_default_stream_groups: readonly object[] } {
  return { realm_default_stream_groups: event.default_stream_groups };
}
