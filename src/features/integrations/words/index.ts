// Parts of messages that many services share: commits, issues, builds, alerts.
export { built, links, mark, type Mood, moodOf, state } from './alerts.ts';
export { arrIntegration } from './arr.ts';
export {
  asWords,
  branchOf,
  capital,
  counted,
  type Happening,
  happened,
  isBranchWanted,
  noted,
  person,
  type Push,
  pushed,
  withoutAddress,
} from './code.ts';
export { likeGitea } from './gitea.ts';
export { textOfHtml } from './html.ts';
export { readSlack } from './slack.ts';
