import { firstOf } from '../field.ts';
import { integration } from '../integration.ts';
import { bold, code, facts, md, paragraphs } from '../markdown.ts';
import { asWords, mark } from '../words/index.ts';

const incident = {
  AlertType: 'CanaryIncident',
  CanaryName: 'harbour-01',
  CanaryIP: '10.0.0.3',
  CanaryLocation: 'Quay',
  Description: 'SSH login attempt',
  SourceIP: '10.0.0.9',
  Timestamp: '2026-11-20 10:00:00 (UTC)',
  IncidentHash: 'ab12',
  ReverseDNS: '',
  AdditionalDetails: [
    ['User', 'root'],
    ['Password', 'oars'],
  ],
};

export const thinkst = integration({
  name: 'thinkst',
  title: 'Thinkst Canary',
  category: 'Monitoring',
  setUp: 'In the Canary console open Settings, Webhooks, Add Generic Webhook, and paste the address.',
  events: ['CanaryIncident', 'CanarytokenIncident', 'ConsoleSettingsChanged', 'CanaryConnected', 'CanaryDisconnected'],
  read: (at) => {
    const event = at('AlertType').text || 'CanaryIncident';
    const name = firstOf(at('CanaryName'), at('Reminder'), 'Canary');
    const details = at('AdditionalDetails').list.map(
      (pair) => [pair.at('0').text || 'Detail', pair.at('1').text] as const,
    );
    return {
      event,
      topic: /token/i.test(event) ? `canarytoken alert - ${name}` : `canary alert - ${name}`,
      content: paragraphs(
        md`${mark('bad')} ${bold(at('Description').text || asWords(event))} at ${name}`,
        facts({
          Address: code(at('CanaryIP').text),
          Place: at('CanaryLocation'),
          Source: code(at('SourceIP').text),
          Name: at('ReverseDNS'),
          Time: at('Timestamp'),
          Incident: at('IncidentHash'),
          ...Object.fromEntries(details),
        }),
      ),
    };
  },
  samples: [
    'CanaryIncident',
    'CanarytokenIncident',
    'ConsoleSettingsChanged',
    'CanaryConnected',
    'CanaryDisconnected',
  ].map((AlertType) => ({ of: `An alert: ${AlertType}`, json: { ...incident, AlertType } })),
});
