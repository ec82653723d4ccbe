export { describedEvents, eventsPage } from './events.ts';
export { apiPages } from './pages.ts';
export { errorRows } from './responses.ts';
export { described, fits, vocabulary } from './vocabulary/index.ts';
