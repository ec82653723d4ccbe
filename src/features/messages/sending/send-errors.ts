import { messageErrors as errors } from '../core/index.ts';

/** Whatever sending a message may be refused with; for operations that send one by the way. */
export const SEND_ERRORS = Object.values(errors).flat();
