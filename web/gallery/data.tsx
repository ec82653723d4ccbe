import type { ChannelLook } from '../ui/channel-icon.tsx';
import type { Face } from '../ui/index.ts';

export const mia: Face = { id: 4, name: 'Mia Member' };
export const mona: Face = { id: 2, name: 'Mona Moderator' };
export const olive: Face = { id: 3, name: 'Olive Owner' };
export const adam: Face = { id: 1, name: 'Adam Admin' };
export const max: Face = { id: 5, name: 'Max Member' };
export const gus: Face = { id: 7, name: 'Gus Guest' };
export const bot: Face = { id: 8, name: 'Build Bot', isBot: true };
export const long: Face = { id: 6, name: 'Wolfeschlegelsteinhausenbergerdorff the Thirty-Second of that Name' };
export const omar: Face = { id: 9, name: 'عمر الفاروق' };

type Channel = ChannelLook & { readonly name: string; readonly href: string };

function channel(name: string, color: string, kind: ChannelLook['kind'] = 'public'): Channel {
  return { name, color, kind, href: `#narrow/channel/${name}` };
}

export const design = channel('design', '#b05c9d');
export const general = channel('general', '#1aa3b8');
export const engineering = channel('engineering', '#6b74d6');
export const releases = channel('releases and long-term maintenance', '#4f8de4');
export const support = channel('support', '#a6a13c');
export const leadership = channel('leadership', '#c2565b', 'private');
export const lounge = channel('lounge', '#3a9b5c', 'web-public');

export const time = (text: string) => ({
  text,
  iso: `2026-11-21T${text}`,
  full: `Saturday, 21 November 2026 at ${text}:00`,
});

/** Does nothing: the gallery shows how things look. */
export const idle = () => undefined;
