import type { Sample } from '../integration.ts';

const repository = {
  name: 'boats',
  full_name: 'ferry/boats',
  private: false,
  html_url: 'https://github.com/ferry/boats',
  owner: { login: 'ferry' },
};
const sender = { login: 'mia-member', html_url: 'https://github.com/mia-member' };
const head = { label: 'ferry:oars', ref: 'oars', sha: '6f1c2d3e4a5b' };
const base = { label: 'ferry:main', ref: 'main' };
const pull_request = {
  number: 12,
  title: 'Row faster',
  body: '<!-- Say what changes. -->\nFour oars instead of two.',
  html_url: 'https://github.com/ferry/boats/pull/12',
  merged: false,
  head,
  base,
};
const issue = {
  number: 7,
  title: 'The keel leaks',
  body: 'Water comes in *below* the bench.',
  html_url: 'https://github.com/ferry/boats/issues/7',
};
const comment = {
  html_url: 'https://github.com/ferry/boats/issues/7#issuecomment-1',
  body: 'Tar helps.',
  commit_id: '0d1a26e67d8f5eaf1f6ba5c57fc3c7d91ac0fd1c',
};
const discussion = {
  number: 3,
  title: 'Which wood?',
  body: 'Oak or larch?',
  html_url: 'https://github.com/ferry/boats/discussions/3',
};
const team = { name: 'Carpenters', html_url: 'https://github.com/orgs/ferry/teams/carpenters' };
const member = { login: 'max-member', html_url: 'https://github.com/max-member' };
const deployment = {
  environment: 'production',
  ref: 'main',
  sha: '6f1c2d3e4a5b708192a3b4c5d6e7f8091a2b3c4d',
  creator: sender,
};
const compare = 'https://github.com/ferry/boats/compare/0d1a26e...1bb2a3c';
const commits = [
  {
    id: '1bb2a3c4d5e6f708192a3b4c5d6e7f8091a2b3c4',
    message: 'Caulk the seams\n\nWith oakum.',
    url: 'https://github.com/ferry/boats/commit/1bb2a3c',
    author: { name: 'Mia Member', username: 'mia-member' },
  },
  {
    id: '2cc3b4d5e6f708192a3b4c5d6e7f8091a2b3c4d5',
    message: 'Paint `hull.ts` & keel',
    url: 'https://github.com/ferry/boats/commit/2cc3b4d',
    author: { name: 'Max Member', username: 'max-member' },
  },
];
const pushed = {
  ref: 'refs/heads/main',
  created: false,
  deleted: false,
  forced: false,
  compare,
  commits,
  pusher: { name: 'mia-member' },
};

const of = (what: string, event: string, json: object): Sample => ({
  of: what,
  headers: { 'x-github-event': event },
  json: { repository, sender, ...json },
});

/** Calls from GitHub's documentation. */
export const githubSamples: readonly Sample[] = [
  of('Commits are pushed', 'push', pushed),
  of('Commits are force-pushed', 'push', { ...pushed, forced: true, commits: commits.slice(0, 1) }),
  of('A branch is created', 'push', { ...pushed, created: true, commits: [], ref: 'refs/heads/oars' }),
  of('A branch is deleted', 'push', { ...pushed, deleted: true, commits: [] }),
  of('A tag is pushed', 'push', { ...pushed, created: true, commits: [], ref: 'refs/tags/v1.2' }),
  of('A pull request is opened', 'pull_request', { action: 'opened', pull_request }),
  of('A pull request is merged', 'pull_request', { action: 'closed', pull_request: { ...pull_request, merged: true } }),
  of('A pull request is closed', 'pull_request', { action: 'closed', pull_request }),
  of('A review is asked for', 'pull_request', { action: 'review_requested', pull_request, requested_reviewer: member }),
  of('A pull request is approved', 'pull_request_review', {
    action: 'submitted',
    pull_request,
    review: {
      state: 'approved',
      body: 'Smooth.',
      html_url: 'https://github.com/ferry/boats/pull/12#pullrequestreview-1',
    },
  }),
  of('A pull request gets another title', 'pull_request', {
    action: 'edited',
    pull_request,
    changes: { title: { from: 'Row' } },
  }),
  of('A pull request is opened for somebody', 'pull_request', {
    action: 'opened',
    pull_request: { ...pull_request, body: null, assignees: [member] },
  }),
  of('A review is asked of several', 'pull_request', {
    action: 'review_requested',
    pull_request: { ...pull_request, requested_reviewers: [member, { login: 'gus-guest' }], requested_teams: [team] },
  }),
  of('Code is commented on', 'pull_request_review_comment', { action: 'created', pull_request, comment }),
  of('A thread of a review is resolved', 'pull_request_review_thread', { action: 'resolved', pull_request }),
  of('An issue is opened', 'issues', { action: 'opened', issue }),
  of('An issue is assigned', 'issues', { action: 'assigned', issue, assignee: member }),
  of('An issue is labeled', 'issues', { action: 'labeled', issue, label: { name: 'leak' } }),
  of('An issue is commented on', 'issue_comment', { action: 'created', issue, comment }),
  of('An issue goes to another repository', 'issues', {
    action: 'transferred',
    issue,
    changes: {
      new_issue: { number: 1, title: 'The keel leaks', html_url: 'https://github.com/ferry/rafts/issues/1' },
      new_repository: { name: 'rafts', full_name: 'ferry/rafts', html_url: 'https://github.com/ferry/rafts' },
    },
  }),
  of('A check is asked for once more', 'check_run', {
    action: 'rerequested',
    check_run: {
      name: 'lint',
      status: 'completed',
      head_sha: '6f1c2d3e4a5b',
      conclusion: 'failure',
      html_url: 'https://github.com/ferry/boats/runs/5',
    },
  }),
  of('A commit is commented on', 'commit_comment', { action: 'created', comment }),
  of('A discussion begins', 'discussion', { action: 'created', discussion }),
  of('A discussion goes on', 'discussion_comment', { action: 'created', discussion, comment }),
  of('A branch is created, as its own event', 'create', { ref_type: 'branch', ref: 'oars' }),
  of('A tag is created, as its own event', 'create', { ref_type: 'tag', ref: 'v1.2' }),
  of('A branch is deleted, as its own event', 'delete', { ref_type: 'branch', ref: 'oars' }),
  of('A release is published', 'release', {
    action: 'published',
    release: {
      tag_name: 'v1.2',
      name: 'Spring tide',
      body: 'Faster oars.',
      html_url: 'https://github.com/ferry/boats/releases/tag/v1.2',
    },
  }),
  of('A workflow ends', 'workflow_run', {
    action: 'completed',
    workflow_run: {
      name: 'Tests',
      run_number: 88,
      head_branch: 'main',
      conclusion: 'failure',
      html_url: 'https://github.com/ferry/boats/actions/runs/88',
      actor: sender,
    },
  }),
  of('A check ends', 'check_run', {
    action: 'completed',
    check_run: {
      name: 'lint',
      head_sha: '6f1c2d3e4a5b',
      conclusion: 'success',
      html_url: 'https://github.com/ferry/boats/runs/5',
    },
  }),
  of('A status is set', 'status', {
    sha: '6f1c2d3e4a5b',
    context: 'ci/harbour',
    state: 'success',
    description: 'All boats float.',
    target_url: 'https://ci.ferry.example/4',
    branches: [{ name: 'main' }],
  }),
  of('A deployment begins', 'deployment', { deployment }),
  of('A deployment ends', 'deployment_status', {
    deployment,
    deployment_status: {
      state: 'success',
      creator: sender,
      description: 'All boats are out.',
      environment_url: 'https://boats.ferry.example',
    },
  }),
  of('A deployment waits for approval', 'deployment_review', {
    action: 'requested',
    environment: 'production',
    requestor: sender,
    reviewers: [{ type: 'Team', reviewer: team }],
    workflow_run: { name: 'Deploy', run_number: 89, html_url: 'https://github.com/ferry/boats/actions/runs/89' },
  }),
  of('A deployment is approved', 'deployment_review', {
    action: 'approved',
    approver: member,
    comment: 'Calm sea.',
    reviewers: [{ type: 'User', reviewer: member }],
    workflow_job_runs: [{ id: 4, name: 'ship', environment: 'production' }],
    workflow_run: { name: 'Deploy', run_number: 89, html_url: 'https://github.com/ferry/boats/actions/runs/89' },
  }),
  of('A package is published by the registry', 'registry_package', {
    action: 'published',
    registry_package: {
      name: 'oars',
      package_type: 'npm',
      html_url: 'https://github.com/ferry/boats/packages/7',
      package_version: { version: '1.2.0' },
    },
  }),
  of('Somebody joins the organization', 'organization', {
    action: 'member_added',
    membership: { role: 'member', state: 'pending', user: member },
    organization: { login: 'ferry' },
  }),
  of('A deploy key is added', 'deploy_key', { action: 'created', key: { id: 3, title: 'harbour', read_only: true } }),
  of('A workflow is started by hand', 'workflow_dispatch', {
    inputs: {},
    ref: 'refs/heads/main',
    workflow: '.github/workflows/tests.yml',
  }),
  of('A merge queue has merged', 'merge_group', {
    action: 'destroyed',
    reason: 'merged',
    merge_group: {
      head_sha: '6f1c2d3e4a5b',
      head_ref: 'refs/heads/gh-readonly-queue/main/pr-12',
      base_ref: 'refs/heads/main',
    },
  }),
  of('An advisory is published', 'repository_advisory', {
    action: 'published',
    repository_advisory: {
      ghsa_id: 'GHSA-xxxx-yyyy-zzzz',
      cve_id: null,
      summary: 'Oars can be stolen',
      severity: 'high',
      html_url: 'https://github.com/ferry/boats/security/advisories/GHSA-xxxx-yyyy-zzzz',
    },
  }),
  of('An issue becomes part of another', 'sub_issues', {
    action: 'sub_issue_added',
    sub_issue_id: 8,
    sub_issue: { number: 8, title: 'Find tar', html_url: 'https://github.com/ferry/boats/issues/8' },
    parent_issue_id: 7,
    parent_issue: issue,
  }),
  of('A repository is forked', 'fork', {
    forkee: { full_name: 'max-member/boats', html_url: 'https://github.com/max-member/boats' },
  }),
  of('A repository is starred', 'watch', { action: 'started' }),
  of('A star is taken back', 'star', { action: 'deleted' }),
  of('A repository becomes public', 'public', {}),
  of('A repository is archived', 'repository', { action: 'archived' }),
  of('A repository is renamed', 'repository', {
    action: 'renamed',
    changes: { repository: { name: { from: 'rafts' } } },
  }),
  of('A repository becomes private', 'repository', { action: 'privatized' }),
  of('A repository is edited', 'repository', {
    action: 'edited',
    repository: { ...repository, description: 'All that floats' },
    changes: { description: { from: null } },
  }),
  of('A repository was imported', 'repository_import', { status: 'success' }),
  of('Rules for branches are made', 'repository_ruleset', {
    action: 'created',
    repository_ruleset: {
      id: 21,
      name: 'No pushes to main',
      target: 'branch',
      enforcement: 'active',
      _links: { html: { href: 'https://github.com/ferry/boats/rules/21' } },
    },
  }),
  of('Branches are no longer protected', 'branch_protection_configuration', { action: 'disabled' }),
  of('Secrets are looked for', 'security_and_analysis', {
    changes: { from: { security_and_analysis: { secret_scanning: { status: 'disabled' } } } },
    repository: { ...repository, security_and_analysis: { secret_scanning: { status: 'enabled' } } },
  }),
  of('A collaborator may do more', 'member', {
    action: 'edited',
    member,
    changes: { permission: { from: 'write', to: 'admin' } },
  }),
  of('A collaborator is added', 'member', { action: 'added', member }),
  of('Somebody joins a team', 'membership', {
    action: 'added',
    member,
    team,
    organization: { login: 'ferry' },
    repository: undefined,
  }),
  of('A team is edited', 'team', {
    action: 'edited',
    team: { ...team, privacy: 'closed' },
    changes: { privacy: { from: 'secret' } },
    organization: { login: 'ferry' },
  }),
  of('A team gets a repository, as its own event', 'team', { action: 'added_to_repository', team }),
  of('Somebody is blocked', 'org_block', {
    action: 'blocked',
    blocked_user: { login: 'gus-guest', html_url: 'https://github.com/gus-guest' },
    organization: { login: 'ferry' },
    repository: undefined,
  }),
  of('An organization is renamed', 'organization', {
    action: 'renamed',
    changes: { login: { from: 'rowers' } },
    organization: { login: 'ferry' },
    repository: undefined,
  }),
  of('A team gets a repository', 'team_add', { team }),
  of('The wiki changes', 'gollum', {
    pages: [{ action: 'edited', title: 'Knots', html_url: 'https://github.com/ferry/boats/wiki/Knots' }],
  }),
  of('A milestone is reached', 'milestone', {
    action: 'closed',
    milestone: { title: 'Launch', html_url: 'https://github.com/ferry/boats/milestone/1' },
  }),
  of('A package is published', 'package', {
    action: 'published',
    package: {
      name: 'oar',
      html_url: 'https://github.com/ferry/boats/packages/1',
      package_version: { version: '2.0.1' },
    },
  }),
  of('A page is built', 'page_build', { build: { status: 'built', error: { message: null } } }),
  of('A dependency has a hole', 'repository_vulnerability_alert', {
    action: 'create',
    alert: {
      affected_package_name: 'tar',
      affected_range: '< 6.1.2',
      fixed_in: '6.1.2',
      external_reference: 'https://github.com/advisories/GHSA-1',
    },
  }),
  of('A dependency has a hole, as Dependabot tells it', 'dependabot_alert', {
    action: 'created',
    alert: {
      number: 2,
      state: 'open',
      dependency: { package: { ecosystem: 'npm', name: 'tar' }, manifest_path: 'package-lock.json', scope: 'runtime' },
      security_advisory: {
        ghsa_id: 'GHSA-1',
        summary: 'Files outside of the folder are overwritten',
        severity: 'high',
      },
      security_vulnerability: {
        package: { ecosystem: 'npm', name: 'tar' },
        severity: 'high',
        vulnerable_version_range: '< 6.1.2',
        first_patched_version: { identifier: '6.1.2' },
      },
      html_url: 'https://github.com/ferry/boats/security/dependabot/2',
    },
  }),
  of('A dependency is mended', 'dependabot_alert', {
    action: 'fixed',
    alert: {
      number: 2,
      state: 'fixed',
      dependency: { package: { ecosystem: 'npm', name: 'tar' }, manifest_path: 'package-lock.json' },
      security_advisory: { ghsa_id: 'GHSA-1', summary: 'Files outside of the folder are overwritten' },
      security_vulnerability: {
        package: { ecosystem: 'npm', name: 'tar' },
        severity: 'high',
        vulnerable_version_range: '< 6.1.2',
        first_patched_version: null,
      },
      html_url: 'https://github.com/ferry/boats/security/dependabot/2',
    },
  }),
  of('Code has a flaw', 'code_scanning_alert', {
    action: 'appeared_in_branch',
    ref: 'refs/heads/main',
    commit_oid: '6f1c2d3e4a5b',
    alert: {
      number: 10,
      html_url: 'https://github.com/ferry/boats/security/code-scanning/10',
      state: 'open',
      rule: {
        id: 'js/tainted-path',
        severity: 'error',
        security_severity_level: 'high',
        description: 'Path from outside',
      },
      tool: { name: 'CodeQL', version: null },
      most_recent_instance: { ref: 'refs/heads/main', location: { path: 'src/hull.js', start_line: 7 } },
    },
  }),
  of('A flaw is dismissed', 'code_scanning_alert', {
    action: 'closed_by_user',
    ref: 'refs/heads/main',
    alert: {
      number: 10,
      html_url: 'https://github.com/ferry/boats/security/code-scanning/10',
      state: 'dismissed',
      rule: { id: 'js/tainted-path', severity: 'error', description: 'Path from outside' },
      tool: { name: 'CodeQL' },
    },
  }),
  of('A secret is found', 'secret_scanning_alert', {
    action: 'created',
    alert: {
      number: 3,
      secret_type: 'mailchimp_api_key',
      secret_type_display_name: 'Mailchimp API Key',
      resolution: null,
      html_url: 'https://github.com/ferry/boats/security/secret-scanning/3',
    },
  }),
  of('A secret is found in one more place', 'secret_scanning_alert_location', {
    action: 'created',
    alert: {
      number: 3,
      secret_type: 'mailchimp_api_key',
      html_url: 'https://github.com/ferry/boats/security/secret-scanning/3',
    },
    location: { type: 'commit', details: { path: 'src/mail.js', start_line: 8 } },
  }),
  of('A secret is revoked', 'secret_scanning_alert', {
    action: 'resolved',
    alert: {
      number: 3,
      secret_type: 'mailchimp_api_key',
      resolution: 'revoked',
      html_url: 'https://github.com/ferry/boats/security/secret-scanning/3',
    },
  }),
  of('A branch is protected', 'branch_protection_rule', { action: 'created', rule: { name: 'main' } }),
  of('A sponsor is won', 'sponsorship', {
    action: 'created',
    sponsorship: { sponsor: { login: 'gus-guest' }, tier: { name: '$5 a month' } },
  }),
  of('A sponsor gives more', 'sponsorship', {
    action: 'pending_tier_change',
    effective_date: '2026-12-30T00:00:00+00:00',
    changes: { tier: { from: { name: '$5 a month' } } },
    sponsorship: { sponsor: { login: 'gus-guest' }, tier: { name: '$10 a month' } },
  }),
  of('The webhook is set up', 'ping', { zen: 'Keep it logically awesome.', hook: { events: ['push'] } }),
];
