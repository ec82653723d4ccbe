import { integration } from '../integration.ts';
import { md } from '../markdown.ts';
import { built } from '../words/index.ts';

const build = (result: string, delta: string) => ({
  build: {
    buildStatus: 'Tests passed: 16',
    buildResult: result,
    buildResultDelta: delta,
    buildFullName: 'Boats :: Tests',
    buildName: 'Tests',
    buildTypeId: 'Boats_Tests',
    buildNumber: '27',
    buildStatusUrl: 'https://teamcity.ferry.example/viewLog.html?buildId=27',
    rootUrl: 'https://teamcity.ferry.example',
    projectName: 'Boats',
    triggeredBy: 'Mia Member',
    branchDisplayName: 'main',
  },
});

export const teamcity = integration({
  name: 'teamcity',
  title: 'TeamCity',
  category: 'Builds and deployments',
  setUp:
    'Install the tcWebHooks plugin. In the project open WebHooks, add one with the address and the format Legacy Webhook (JSON).',
  read: (at) => {
    const it = at('build');
    const delta = it.at('buildResultDelta').text;
    const state = { broken: 'broken', fixed: 'fixed' }[delta] ?? it.at('buildResult').need;
    return {
      topic: it.at('buildFullName').text.split(' :: ').at(-2) ?? it.at('buildName').need,
      content: built({
        what: `${it.at('buildFullName').need} #${it.at('buildNumber').need}`,
        url: it.at('buildStatusUrl'),
        state,
        rest: md`${it.at('buildStatus').text}, triggered by ${it.at('triggeredBy').text || 'somebody'}.`,
      }),
    };
  },
  samples: [
    { of: 'A build succeeds', json: build('success', 'unchanged') },
    { of: 'A build breaks', json: build('failure', 'broken') },
    { of: 'A build is fixed', json: build('success', 'fixed') },
  ],
});
