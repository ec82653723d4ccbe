import type { Integration } from './integration.ts';
import { airbrake } from './services/airbrake.ts';
import { airbyte } from './services/airbyte.ts';
import { alertmanager } from './services/alertmanager.ts';
import { ansibletower } from './services/ansibletower.ts';
import { appfollow } from './services/appfollow.ts';
import { appveyor } from './services/appveyor.ts';
import { azuredevops } from './services/azuredevops.ts';
import { basecamp } from './services/basecamp.ts';
import { beanstalk } from './services/beanstalk.ts';
import { beeminder } from './services/beeminder.ts';
import { bitbucket } from './services/bitbucket.ts';
import { bitbucket2 } from './services/bitbucket2.ts';
import { bitbucket3 } from './services/bitbucket3.ts';
import { buildbot } from './services/buildbot.ts';
import { canarytoken } from './services/canarytoken.ts';
import { circleci } from './services/circleci.ts';
import { clubhouse } from './services/clubhouse.ts';
import { codeship } from './services/codeship.ts';
import { crashlytics } from './services/crashlytics.ts';
import { delighted } from './services/delighted.ts';
import { deskdotcom } from './services/deskdotcom.ts';
import { dialogflow } from './services/dialogflow.ts';
import { dropbox } from './services/dropbox.ts';
import { errbit } from './services/errbit.ts';
import { flock } from './services/flock.ts';
import { freshdesk } from './services/freshdesk.ts';
import { freshping } from './services/freshping.ts';
import { freshstatus } from './services/freshstatus.ts';
import { front } from './services/front.ts';
import { generic } from './services/generic.ts';
import { gitea } from './services/gitea.ts';
import { github } from './services/github.ts';
import { gitlab } from './services/gitlab.ts';
import { gocd } from './services/gocd.ts';
import { gogs } from './services/gogs.ts';
import { gosquared } from './services/gosquared.ts';
import { grafana } from './services/grafana.ts';
import { greenhouse } from './services/greenhouse.ts';
import { groove } from './services/groove.ts';
import { harbor } from './services/harbor.ts';
import { hellosign } from './services/hellosign.ts';
import { helloworld } from './services/helloworld.ts';
import { heroku } from './services/heroku.ts';
import { homeassistant } from './services/homeassistant.ts';
import { honeybadger } from './services/honeybadger.ts';
import { ifttt } from './services/ifttt.ts';
import { insping } from './services/insping.ts';
import { intercom } from './services/intercom.ts';
import { jenkins } from './services/jenkins.ts';
import { jira } from './services/jira.ts';
import { jotform } from './services/jotform.ts';
import { json } from './services/json.ts';
import { librato } from './services/librato.ts';
import { lidarr } from './services/lidarr.ts';
import { linear } from './services/linear.ts';
import { mention } from './services/mention.ts';
import { netlify } from './services/netlify.ts';
import { newrelic } from './services/newrelic.ts';
import { opencollective } from './services/opencollective.ts';
import { openproject } from './services/openproject.ts';
import { opsgenie } from './services/opsgenie.ts';
import { pagerduty } from './services/pagerduty.ts';
import { papertrail } from './services/papertrail.ts';
import { patreon } from './services/patreon.ts';
import { pingdom } from './services/pingdom.ts';
import { pivotal } from './services/pivotal.ts';
import { radarr } from './services/radarr.ts';
import { raygun } from './services/raygun.ts';
import { reviewboard } from './services/reviewboard.ts';
import { rhodecode } from './services/rhodecode.ts';
import { rollbar } from './services/rollbar.ts';
import { rundeck } from './services/rundeck.ts';
import { semaphore } from './services/semaphore.ts';
import { sentry } from './services/sentry.ts';
import { slack } from './services/slack.ts';
import { slackIncoming } from './services/slack_incoming.ts';
import { sonarqube } from './services/sonarqube.ts';
import { sonarr } from './services/sonarr.ts';
import { splunk } from './services/splunk.ts';
import { statuspage } from './services/statuspage.ts';
import { stripe } from './services/stripe.ts';
import { taiga } from './services/taiga.ts';
import { teamcity } from './services/teamcity.ts';
import { thinkst } from './services/thinkst.ts';
import { transifex } from './services/transifex.ts';
import { travis } from './services/travis.ts';
import { trello } from './services/trello.ts';
import { updown } from './services/updown.ts';
import { uptimerobot } from './services/uptimerobot.ts';
import { wekan } from './services/wekan.ts';
import { wordpress } from './services/wordpress.ts';
import { zabbix } from './services/zabbix.ts';
import { zapier } from './services/zapier.ts';
import { zendesk } from './services/zendesk.ts';

/** All integrations of this server, by name: routes, catalogue, pages and tests follow from them. */
export const INTEGRATIONS: readonly Integration[] = [
  airbrake,
  airbyte,
  alertmanager,
  ansibletower,
  appfollow,
  appveyor,
  azuredevops,
  basecamp,
  beanstalk,
  beeminder,
  bitbucket,
  bitbucket2,
  bitbucket3,
  buildbot,
  canarytoken,
  circleci,
  clubhouse,
  codeship,
  crashlytics,
  delighted,
  deskdotcom,
  dialogflow,
  dropbox,
  errbit,
  flock,
  freshdesk,
  freshping,
  freshstatus,
  front,
  generic,
  gitea,
  github,
  gitlab,
  gocd,
  gogs,
  gosquared,
  grafana,
  greenhouse,
  groove,
  harbor,
  hellosign,
  helloworld,
  heroku,
  homeassistant,
  honeybadger,
  ifttt,
  insping,
  intercom,
  jenkins,
  jira,
  jotform,
  json,
  librato,
  lidarr,
  linear,
  mention,
  netlify,
  newrelic,
  opencollective,
  openproject,
  opsgenie,
  pagerduty,
  papertrail,
  patreon,
  pingdom,
  pivotal,
  radarr,
  raygun,
  reviewboard,
  rhodecode,
  rollbar,
  rundeck,
  semaphore,
  sentry,
  slack,
  slackIncoming,
  sonarqube,
  sonarr,
  splunk,
  statuspage,
  stripe,
  taiga,
  teamcity,
  thinkst,
  transifex,
  travis,
  trello,
  updown,
  uptimerobot,
  wekan,
  wordpress,
  zabbix,
  zapier,
  zendesk,
];

const byName = new Map(INTEGRATIONS.map((one) => [one.name, one]));

/** The integration of a name, as it stands in addresses. */
export function findIntegration(name: string): Integration | undefined {
  return byName.get(name);
}

/** Kinds of events among which an address may choose; null where there is one kind only. */
export function eventsOf({ events }: Integration): readonly string[] | null {
  return events === undefined ? null : events.toSorted();
}
