// Changes of messages that were sent: their text, their place, their end.
export { eraseMessages, eraseSomeMessages } from './delete.ts';
export { deleteFlagsOfUsers, idsOfTopic, newestOfTopic, setContent, setPlace, setRendering } from './queries.ts';
