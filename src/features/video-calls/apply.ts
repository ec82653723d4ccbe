/** A client's state about its user's Zoom account. */
interface ZoomTokenState {
  readonly has_zoom_token: boolean;
}

/** Whether an account is connected after an event. */
export function applyZoomTokenEvent(_state: ZoomTokenState, event: { readonly value: boolean }): ZoomTokenState {
  return { has_zoom_token: event.value };
}
