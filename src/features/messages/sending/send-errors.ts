import { messageErrors as errors } from '../core/index.ts';

/** All errors of sending a message, for operations that send one among other things. */
export const SEND_ERRORS = Object.values(errors).flat();
