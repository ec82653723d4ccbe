import { slice } from '#kernel/slice';
import { botAlerts as handlers } from './alerts.ts';

export const botAlerts = slice({ name: 'bot-alerts', on: handlers });
