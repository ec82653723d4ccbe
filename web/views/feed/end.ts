import { useLayoutEffect } from 'preact/hooks';

/** Goes to the newest message, and resolves once it is drawn, to whether it is. */
type Jump = () => Promise<boolean>;

let current: Jump | undefined;

/** Makes the end of a feed that is shown known to keys. */
export function useEnd(jump: Jump): void {
  useLayoutEffect(() => {
    current = jump;
    return () => {
      if (current === jump) current = undefined;
    };
  });
}

/** Goes to the newest message of the feed that is shown; undefined where none is. */
export function jumpToEnd(): Promise<boolean> | undefined {
  return current?.();
}
