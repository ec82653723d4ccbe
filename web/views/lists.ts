// What is loaded after the first conversation, in one piece: each further piece would split what it shares with the first once more.
export { InboxView } from './inbox/inbox-view.tsx';
export { LaterView } from './later/later-view.tsx';
export { OverlayView } from './overlays/overlay-view.tsx';
export { PeopleView } from './people/people-view.tsx';
export { TopicsView } from './topics/topics-view.tsx';
export { RecentView } from './recent/recent-view.tsx';
