/**
 * Types of a service worker as far as this client uses them: TypeScript's libraries declare either a page or a worker.
 */
interface ExtendableEvent extends Event {
  waitUntil(work: Promise<unknown>): void;
}
interface PushEvent extends ExtendableEvent {
  readonly data: { text(): string } | null;
}
interface NotificationEvent extends ExtendableEvent {
  readonly notification: Notification;
  /** Name of the button; empty for the notification itself. */
  readonly action: string;
  /** The text of a reply, where the platform supports replies. */
  readonly reply?: string | null;
}
interface InstallEvent extends ExtendableEvent {
  /** Declares requests that bypass the worker. Not every browser supports it. */
  addRoutes?(
    routes: readonly {
      readonly condition: { readonly urlPattern: { readonly pathname: string } };
      readonly source: 'network';
    }[],
  ): Promise<void>;
}
/** Not every browser has this class. */
declare const InstallEvent: { readonly prototype: InstallEvent } | undefined;
interface FetchEvent extends ExtendableEvent {
  readonly request: Request;
  respondWith(answer: Promise<Response>): void;
}
interface WindowEventMap {
  activate: ExtendableEvent;
  fetch: FetchEvent;
  install: InstallEvent;
  notificationclick: NotificationEvent;
  push: PushEvent;
  pushsubscriptionchange: ExtendableEvent;
}
interface WindowClient {
  readonly url: string;
  readonly focused: boolean;
  focus(): Promise<WindowClient>;
  postMessage(message: unknown): void;
}
interface Window {
  readonly registration: ServiceWorkerRegistration;
  readonly clients: {
    matchAll(options: {
      readonly type: 'window';
      readonly includeUncontrolled: true;
    }): Promise<readonly WindowClient[]>;
    openWindow(url: string): Promise<WindowClient | null>;
    claim(): Promise<void>;
  };
  skipWaiting(): Promise<void>;
}
interface NotificationOptions {
  actions?: readonly { readonly action: string; readonly title: string; readonly type?: 'button' | 'text' }[];
  renotify?: boolean;
  timestamp?: number;
}
