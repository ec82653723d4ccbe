// One chunk for everything that loads after the first conversation: each further chunk would split the code shared with
// the first one again.
export { followPush, keepShell, turnOff, turnOn } from '../push/index.ts';
export { offersFor } from './composer/completions.tsx';
export { MessageWidget } from './feed/message-widget.tsx';
export { InboxView } from './inbox/inbox-view.tsx';
export { LaterView } from './later/later-view.tsx';
export { OverlayView } from './overlays/overlay-view.tsx';
export { PeopleView } from './people/people-view.tsx';
export { TopicsView } from './topics/topics-view.tsx';
export { RecentView } from './recent/recent-view.tsx';
