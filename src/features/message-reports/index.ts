import { slice } from '#kernel/slice';
import { reportMessageEndpoint } from './endpoints.ts';

export const messageReports = slice({ name: 'message-reports', endpoints: [reportMessageEndpoint] });
