import type { Client } from '../client/index.ts';
import { noticeFailure } from './notice-failure.ts';

/** Something that the viewer turns on and off. */
interface Toggle {
  /** Key of what is changed. */
  readonly about: string;
  readonly isOn: boolean;
  /** Shows it on or off, as the event from the server will. */
  readonly show: (isOn: boolean) => void;
  readonly call: (isOn: boolean) => Promise<unknown>;
}

/** What was chosen last of toggles whose calls are running. */
const chosen = new Map<string, boolean>();

/** Turns something on or off at once. Calls about it follow each other; a failed one turns it back. */
export async function toggle(client: Client, { about, isOn, show, call }: Toggle): Promise<void> {
  const running = chosen.get(about);
  const next = !(running ?? isOn);
  show(next);
  chosen.set(about, next);
  if (running !== undefined) return;
  for (let known = isOn; chosen.get(about) !== known; known = !known)
    if (!(await noticeFailure(client, call(!known)))) {
      show(known);
      break;
    }
  chosen.delete(about);
}
