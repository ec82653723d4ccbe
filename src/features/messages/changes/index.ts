// Changes of messages that were sent: their text, their place, their end.
export { eraseMessages, eraseSomeMessages } from './delete.ts';
export { deleteFlagsOfUsers, listTopic, setContent, setPlace, setRendering } from './queries.ts';
