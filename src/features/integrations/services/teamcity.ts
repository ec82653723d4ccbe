import { lookUp } from '#kernel/lists';
import { firstOf, oneOf } from '../field.ts';
import { integration } from '../integration.ts';
import { link, md } from '../markdown.ts';
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
    const state = lookUp({ broken: 'broken', fixed: 'fixed' }, delta) ?? it.at('buildResult').need;
    const branch = firstOf(it.at('branchDisplayName'), it.at('branchName'));
    const property = (name: string) =>
      it
        .at('teamcityProperties')
        .list.find((one) => one.at('name').text === name)
        ?.at('value').text ?? '';
    const isPersonal = property('env.BUILD_IS_PERSONAL') === 'true';
    // The part after the semicolon says how the build was triggered.
    const [starter = ''] = it.at('triggeredBy').text.split(';', 1);
    return {
      ...(isPersonal && { personCalled: [starter.trim(), property('teamcity.build.triggeredBy.username')] }),
      topic: oneOf(it.at('buildFullName'), it.at('buildName')),
      content: built({
        what: `${isPersonal ? 'Personal build of ' : ''}${it.at('buildFullName').need} #${it.at('buildNumber').need}`,
        url: it.at('buildStatusUrl'),
        state,
        rest: md`${it.at('buildStatus').text}, triggered by ${it.at('triggeredBy').text || 'somebody'}${branch === '' ? undefined : md` on ${branch}`}. ${link('Changes', `${it.at('buildStatusUrl').text}&tab=buildChangesDiv`)}`,
      }),
    };
  },
  samples: [
    { of: 'A build succeeds', json: build('success', 'unchanged') },
    { of: 'A build breaks', json: build('failure', 'broken') },
    {
      of: 'A personal build breaks',
      json: {
        build: {
          ...build('failure', 'broken').build,
          teamcityProperties: [
            { name: 'DotNetFramework2.0_x64', value: '2.0.50727' },
            { name: 'env.BUILD_IS_PERSONAL', value: 'true' },
            { name: 'teamcity.build.triggeredBy.username', value: 'mia' },
          ],
        },
      },
    },
    { of: 'A build is fixed', json: build('success', 'fixed') },
  ],
});
