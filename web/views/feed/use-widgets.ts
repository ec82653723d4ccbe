import { signal } from '@preact/signals';
import type { ComponentType } from 'preact';
import { useEffect } from 'preact/hooks';
import type { MessageWidgetProps } from './message-widget.tsx';

const loaded = signal<ComponentType<MessageWidgetProps> | undefined>(undefined);

/**
 * Returns what draws polls and to-do lists, once a message with one was seen and it is loaded. Until then, and where it
 * cannot be loaded, the message is its text.
 */
export function useWidgets(isWanted: boolean): ComponentType<MessageWidgetProps> | undefined {
  useEffect(() => {
    if (isWanted && !loaded.peek())
      import('../lists.ts').then(
        ({ MessageWidget }) => (loaded.value = MessageWidget),
        () => undefined,
      );
  }, [isWanted]);
  return isWanted ? loaded.value : undefined;
}
