import type { WireView } from './wire.ts';

/** A client's state about navigation views. */
interface ViewsState {
  readonly navigation_views: readonly WireView[];
}

type ViewEvent =
  | { readonly op: 'add'; readonly navigation_view: WireView }
  | { readonly op: 'update'; readonly fragment: string; readonly data: Partial<Omit<WireView, 'fragment'>> }
  | { readonly op: 'remove'; readonly fragment: string };

/** The views after an event. */
export function applyViewEvent({ navigation_views: views }: ViewsState, event: ViewEvent): ViewsState {
  switch (event.op) {
    case 'add':
      return { navigation_views: [...views, event.navigation_view] };
    case 'update':
      return {
        navigation_views: views.map((view) => (view.fragment === event.fragment ? { ...view, ...event.data } : view)),
      };
    case 'remove':
      return { navigation_views: views.filter((view) => view.fragment !== event.fragment) };
  }
}
