// Messages that wait to be mailed.
export { deleteMissed, firstDue, gatheringFor, insertMissed, listMissed } from './queries.ts';
export { missedMessage, type MissedRow } from './tables.ts';
