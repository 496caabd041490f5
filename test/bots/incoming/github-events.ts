/** One payload for each event of GitHub, made by hand from its documentation, with the message that it becomes. */
export interface Example {
  readonly event: string
  readonly payload: object
  /** Topic and content; undefined for none. */
  readonly message?: readonly [topic: string, content: string]
}

const there = 'https://github.com/dane/elsinore'
const repository = { name: 'elsinore', full_name: 'dane/elsinore', html_url: there }
const sender = { login: 'yorick' }
const organization = { login: 'dane' }
const common = { repository, sender }
const pull_request = {
  number: 4,
  title: 'Dig',
  html_url: `${there}/pull/4`,
  body: '<!-- Fill in the template -->Alas',
  head: { ref: 'grave' },
  base: { ref: 'main' },
  assignees: [{ login: 'hamlet' }, { login: 'horatio' }],
}
const issue = { number: 9, title: 'Ghost', html_url: `${there}/issues/9`, body: '', assignees: [{ login: 'hamlet' }] }
const PR = '[PR #4](https://github.com/dane/elsinore/pull/4)'
const ISSUE = '[issue #9](https://github.com/dane/elsinore/issues/9)'
const pull = (action: string, more: object, content: string): Example => ({
  event: 'pull_request',
  payload: { ...common, action, pull_request, ...more },
  message: ['elsinore / PR #4 Dig', content],
})
const issues = (action: string, more: object, content: string): Example => ({
  event: 'issues',
  payload: { ...common, action, issue, ...more },
  message: ['elsinore / issue #9 Ghost', content],
})
const one = (event: string, payload: object, topic: string, content: string): Example => ({
  event,
  payload: { ...common, ...payload },
  message: [topic, content],
})
const sha = 'abcdef1234567890abcdef1234567890abcdef12'
const COMMIT = `[abcdef1](${there}/commit/${sha})`
const discussion = {
  number: 3,
  title: 'To be',
  html_url: `${there}/discussions/3`,
  body: 'Or not',
  category: { name: 'Q&A' },
}
const DISCUSSION = `[discussion #3](${there}/discussions/3)`
const team = { name: 'Court', html_url: 'https://github.com/orgs/dane/teams/court' }
const TEAM = '[Court](https://github.com/orgs/dane/teams/court)'

export const githubExamples: readonly Example[] = [
  pull(
    'opened',
    {},
    `yorick opened ${PR}: **Dig**, from \`grave\` to \`main\`, assigned to hamlet and horatio.\n\n~~~ quote\nAlas\n~~~`,
  ),
  pull('assigned', { assignee: { login: 'hamlet' } }, `yorick assigned hamlet to ${PR}.`),
  pull('unassigned', { assignee: { login: 'hamlet' } }, `yorick unassigned hamlet from ${PR}.`),
  pull('labeled', { label: { name: 'skull' } }, `yorick added the label \`skull\` to ${PR}.`),
  pull('unlabeled', { label: { name: 'skull' } }, `yorick removed the label \`skull\` from ${PR}.`),
  pull('milestoned', { milestone: { title: 'Act 5' } }, `yorick added ${PR} to the milestone **Act 5**.`),
  pull('demilestoned', { milestone: { title: 'Act 5' } }, `yorick removed ${PR} from the milestone **Act 5**.`),
  pull(
    'review_requested',
    { requested_reviewer: { login: 'hamlet' } },
    `yorick requested a review from hamlet on ${PR}.`,
  ),
  pull(
    'review_requested',
    { requested_team: { name: 'Court' } },
    `yorick requested a review from the team Court on ${PR}.`,
  ),
  pull(
    'review_request_removed',
    { requested_reviewer: { login: 'hamlet' } },
    `yorick withdrew the request for a review from hamlet on ${PR}.`,
  ),
  pull('ready_for_review', {}, `yorick marked ${PR} as ready for review.`),
  pull('converted_to_draft', {}, `yorick converted ${PR} to a draft.`),
  pull('auto_merge_enabled', {}, `yorick enabled auto-merge for ${PR}.`),
  pull('auto_merge_disabled', { reason: 'a check failed' }, `yorick disabled auto-merge for ${PR}: a check failed.`),
  pull('locked', {}, `yorick locked ${PR}.`),
  pull('unlocked', {}, `yorick unlocked ${PR}.`),
  pull('enqueued', {}, `yorick added ${PR} to the merge queue.`),
  pull('dequeued', {}, `yorick removed ${PR} from the merge queue.`),
  pull('synchronize', {}, `yorick updated ${PR}.`),
  pull('edited', {}, `yorick edited ${PR}.`),
  pull('reopened', {}, `yorick reopened ${PR}.`),
  { event: 'pull_request', payload: { ...common, pull_request, action: 'unheard' } },
  issues('opened', {}, `yorick opened ${ISSUE}: **Ghost**, assigned to hamlet`),
  issues('assigned', { assignee: { login: 'hamlet' } }, `yorick assigned hamlet to ${ISSUE}.`),
  issues('labeled', { label: { name: 'eerie' } }, `yorick added the label \`eerie\` to ${ISSUE}.`),
  issues('milestoned', { milestone: { title: 'Act 1' } }, `yorick added ${ISSUE} to the milestone **Act 1**.`),
  issues('deleted', {}, `yorick deleted ${ISSUE}.`),
  issues('transferred', {}, `yorick transferred ${ISSUE}.`),
  issues('pinned', {}, `yorick pinned ${ISSUE}.`),
  issues('locked', {}, `yorick locked ${ISSUE}.`),
  one(
    'issue_comment',
    { action: 'deleted', issue, comment: { html_url: 'x', body: 'Gone' } },
    'elsinore / issue #9 Ghost',
    `yorick deleted a comment on ${ISSUE}.\n\n~~~ quote\nGone\n~~~`,
  ),
  one(
    'pull_request_review',
    { action: 'dismissed', pull_request, review: { state: 'dismissed', html_url: `${there}/pull/4#r1` } },
    'elsinore / PR #4 Dig',
    `yorick dismissed a [review](${there}/pull/4#r1) of ${PR}.`,
  ),
  one(
    'pull_request_review_comment',
    { action: 'edited', pull_request, comment: { html_url: `${there}/pull/4#c1`, body: 'Why?' } },
    'elsinore / PR #4 Dig',
    `yorick edited a [comment](${there}/pull/4#c1) on ${PR}.\n\n~~~ quote\nWhy?\n~~~`,
  ),
  one(
    'pull_request_review_thread',
    { action: 'resolved', pull_request, thread: { comments: [{ html_url: `${there}/pull/4#c1` }] } },
    'elsinore / PR #4 Dig',
    `yorick resolved a [conversation](${there}/pull/4#c1) on ${PR}.`,
  ),
  one(
    'commit_comment',
    { action: 'created', comment: { html_url: `${there}/commit/b#c`, body: 'Nice', commit_id: sha } },
    'elsinore',
    `yorick [commented](${there}/commit/b#c) on \`abcdef1\`.\n\n~~~ quote\nNice\n~~~`,
  ),
  one(
    'discussion',
    { action: 'created', discussion },
    'elsinore / discussion #3 To be',
    `yorick started ${DISCUSSION} in Q&A: **To be**\n\n~~~ quote\nOr not\n~~~`,
  ),
  one(
    'discussion',
    { action: 'answered', discussion },
    'elsinore / discussion #3 To be',
    `yorick chose an answer to ${DISCUSSION}.`,
  ),
  one(
    'discussion_comment',
    { action: 'created', discussion, comment: { html_url: `${there}/discussions/3#c`, body: 'Not' } },
    'elsinore / discussion #3 To be',
    `yorick [commented](${there}/discussions/3#c) on ${DISCUSSION}.\n\n~~~ quote\nNot\n~~~`,
  ),
  one(
    'check_run',
    {
      action: 'completed',
      check_run: {
        name: 'lint',
        html_url: `${there}/runs/1`,
        head_sha: sha,
        conclusion: 'timed_out',
        check_suite: { head_branch: 'main' },
      },
    },
    'elsinore / main',
    `The check [lint](${there}/runs/1) of ${COMMIT} ended: **timed out**.`,
  ),
  { event: 'check_run', payload: { ...common, action: 'created', check_run: { name: 'lint', head_sha: sha } } },
  one(
    'check_suite',
    {
      action: 'completed',
      check_suite: { head_branch: 'main', head_sha: sha, conclusion: 'success', app: { name: 'Actions' } },
    },
    'elsinore / main',
    `The checks of **Actions** on ${COMMIT} ended: **success**.`,
  ),
  one(
    'status',
    {
      sha,
      state: 'failure',
      context: 'ci/dig',
      description: 'No grave',
      target_url: `${there}/ci`,
      branches: [{ name: 'main' }],
    },
    'elsinore / main',
    `[ci/dig](${there}/ci) of ${COMMIT} is **failure**: No grave`,
  ),
  one(
    'deployment',
    { action: 'created', deployment: { environment: 'stage', ref: 'main', sha } },
    'elsinore / deployments',
    'yorick started a deployment of `main` to **stage**.',
  ),
  one(
    'deployment_status',
    {
      deployment: { environment: 'stage', ref: 'main' },
      deployment_status: { state: 'success', target_url: `${there}/d` },
    },
    'elsinore / deployments',
    `The [deployment](${there}/d) of \`main\` to **stage** is **success**.`,
  ),
  one(
    'deployment_review',
    { action: 'approved', workflow_run: { name: 'Deploy', html_url: `${there}/runs/2` }, comment: 'Go' },
    'elsinore / deployments',
    `yorick approved the deployment of [Deploy](${there}/runs/2).\n\n~~~ quote\nGo\n~~~`,
  ),
  one(
    'workflow_run',
    {
      action: 'completed',
      workflow_run: {
        name: 'CI',
        display_title: 'Dig',
        head_branch: 'main',
        html_url: `${there}/runs/3`,
        conclusion: 'failure',
      },
    },
    'elsinore / main',
    `The workflow [CI](${there}/runs/3) for **Dig** on \`main\` ended: **failure**.`,
  ),
  one(
    'workflow_dispatch',
    { ref: 'refs/heads/main', workflow: '.github/workflows/dig.yml' },
    'elsinore / main',
    'yorick started the workflow `dig.yml` on `main`.',
  ),
  one(
    'gollum',
    { pages: [{ title: 'Ghosts', action: 'edited', html_url: `${there}/wiki/Ghosts` }] },
    'elsinore / wiki',
    `yorick changed the wiki:\n* edited [Ghosts](${there}/wiki/Ghosts)`,
  ),
  one(
    'fork',
    { forkee: { full_name: 'norway/elsinore', html_url: 'https://github.com/norway/elsinore' } },
    'elsinore',
    'yorick forked the repository as [norway/elsinore](https://github.com/norway/elsinore).',
  ),
  one('star', { action: 'created' }, 'elsinore', 'yorick starred the repository.'),
  one('watch', { action: 'started' }, 'elsinore', 'yorick starred the repository.'),
  one('member', { action: 'added', member: { login: 'hamlet' } }, 'elsinore', 'yorick added the collaborator hamlet.'),
  one('team_add', { team }, 'elsinore', `yorick added the repository to the team ${TEAM}.`),
  {
    event: 'membership',
    payload: { action: 'added', sender, member: { login: 'hamlet' }, team, organization },
    message: ['dane / teams', `yorick added hamlet to the team ${TEAM}.`],
  },
  {
    event: 'team',
    payload: { action: 'added_to_repository', sender, team, organization, repository },
    message: ['dane / teams', `yorick added the repository [dane/elsinore](${there}) to the team ${TEAM}.`],
  },
  {
    event: 'organization',
    payload: { action: 'member_added', sender, organization, membership: { user: { login: 'hamlet' } } },
    message: ['dane', 'yorick added hamlet to the organization **dane**.'],
  },
  {
    event: 'org_block',
    payload: { action: 'blocked', sender, organization, blocked_user: { login: 'claudius' } },
    message: ['dane', 'yorick blocked claudius.'],
  },
  one(
    'repository',
    { action: 'renamed', changes: { repository: { name: { from: 'kronborg' } } } },
    'elsinore',
    `yorick renamed \`kronborg\` to [dane/elsinore](${there}).`,
  ),
  one('public', {}, 'elsinore', `yorick made the repository [dane/elsinore](${there}) public.`),
  one('page_build', { build: { status: 'built' } }, 'elsinore / pages', 'The build of the site ended: **built**.'),
  ...(['package', 'registry_package'] as const).map((event) =>
    one(
      event,
      {
        action: 'published',
        [event]: { name: 'skull', package_type: 'npm', package_version: { version: '1.0', html_url: `${there}/p` } },
      },
      'elsinore / packages',
      `yorick published the npm package [skull 1.0](${there}/p).`,
    ),
  ),
  one(
    'dependabot_alert',
    {
      action: 'created',
      alert: {
        html_url: `${there}/a/1`,
        security_advisory: { summary: 'Poison', severity: 'high' },
        dependency: { package: { name: 'cup' } },
      },
    },
    'elsinore / security',
    `The [Dependabot alert](${there}/a/1) was opened: **Poison** (severity: high) in \`cup\`.`,
  ),
  one(
    'code_scanning_alert',
    { action: 'fixed', alert: { html_url: `${there}/a/2`, rule: { description: 'Arras', severity: 'error' } } },
    'elsinore / security',
    `The [code scanning alert](${there}/a/2) was fixed: **Arras** (severity: error).`,
  ),
  one(
    'secret_scanning_alert',
    { action: 'created', alert: { html_url: `${there}/a/3`, secret_type_display_name: 'Seal' } },
    'elsinore / security',
    `The [secret scanning alert](${there}/a/3) was opened: **Seal**.`,
  ),
  one(
    'repository_vulnerability_alert',
    { action: 'dismiss', alert: { affected_package_name: 'cup', severity: 'low', external_reference: `${there}/a/4` } },
    'elsinore / security',
    `The [vulnerability alert](${there}/a/4) was dismissed: **cup** (severity: low).`,
  ),
  one(
    'repository_advisory',
    {
      action: 'published',
      repository_advisory: { ghsa_id: 'GHSA-1', summary: 'Poison', html_url: `${there}/s`, severity: 'high' },
    },
    'elsinore / security',
    `The advisory [GHSA-1](${there}/s) was published: **Poison** (severity: high).`,
  ),
  one(
    'merge_group',
    {
      action: 'destroyed',
      reason: 'merged',
      merge_group: { head_sha: sha, base_ref: 'refs/heads/main', head_commit: { message: 'Dig\nmore' } },
    },
    'elsinore / main',
    '**Dig** left the merge queue of `main`: **merged**.',
  ),
  one('branch_protection_configuration', { action: 'disabled' }, 'elsinore', 'yorick disabled all branch protections.'),
  one(
    'branch_protection_rule',
    { action: 'created', rule: { name: 'main' } },
    'elsinore',
    'yorick created the branch protection `main`.',
  ),
  one('deploy_key', { action: 'deleted', key: { title: 'gate' } }, 'elsinore', 'yorick deleted the deploy key `gate`.'),
  one('label', { action: 'edited', label: { name: 'eerie' } }, 'elsinore', 'yorick edited the label `eerie`.'),
  one('meta', { action: 'deleted' }, 'elsinore', 'yorick deleted this webhook.'),
  one(
    'milestone',
    { action: 'closed', milestone: { title: 'Act 5', html_url: `${there}/milestone/1` } },
    'elsinore',
    `yorick closed the milestone [Act 5](${there}/milestone/1).`,
  ),
  {
    event: 'projects_v2',
    payload: { action: 'created', sender, organization, projects_v2: { title: 'Plays' } },
    message: ['dane', 'yorick created the project **Plays**.'],
  },
  {
    event: 'projects_v2_status_update',
    payload: { action: 'created', sender, organization, projects_v2_status_update: { status: 'AT_RISK', body: '' } },
    message: ['dane', 'yorick posted a status update of a project: **at risk**.'],
  },
  one('repository_import', { status: 'success' }, 'elsinore', 'The import of the repository ended: **success**.'),
  one(
    'repository_ruleset',
    { action: 'created', repository_ruleset: { name: 'Etiquette' } },
    'elsinore',
    'yorick created the ruleset **Etiquette**.',
  ),
  {
    event: 'sponsorship',
    payload: { action: 'created', sender, sponsorship: { sponsor: { login: 'norway' }, tier: { name: '$5' } } },
    message: ['GitHub', 'yorick started a sponsorship by norway ($5).'],
  },
  one(
    'sub_issues',
    { action: 'sub_issue_added', sub_issue: { ...issue, number: 10, title: 'Smoke' }, parent_issue: issue },
    'elsinore / issue #9 Ghost',
    `yorick added the sub-issue [issue #10 Smoke](${there}/issues/9) to ${ISSUE}.`,
  ),
  one(
    'issue_relates_to',
    { action: 'relates_to_added', issue, related_issue: { ...issue, number: 10, title: 'Smoke' } },
    'elsinore / issue #9 Ghost',
    `yorick marked ${ISSUE} as related to [issue #10 Smoke](${there}/issues/9).`,
  ),
  one(
    'issue_relates_to',
    { action: 'relates_to_removed', issue },
    'elsinore / issue #9 Ghost',
    `yorick marked ${ISSUE} as no longer related to an issue of another repository.`,
  ),
  one('create', { ref: 'v1', ref_type: 'tag' }, 'elsinore / v1', 'yorick created the tag `v1`.'),
  one('delete', { ref: 'ghost', ref_type: 'branch' }, 'elsinore / ghost', 'yorick deleted the branch `ghost`.'),
  one(
    'release',
    { action: 'edited', release: { name: 'First', tag_name: 'v1', html_url: `${there}/r` } },
    'elsinore / releases',
    `yorick edited the release [First](${there}/r) of the tag \`v1\`.`,
  ),
  one('ping', { zen: 'Keep it.' }, 'elsinore', 'The webhook is set up. Keep it.'),
  one(
    'push',
    {
      ref: 'refs/heads/main',
      compare: `${there}/compare/a...b`,
      commits: [
        { id: sha, message: 'Dig', url: `${there}/commit/${sha}`, author: { username: 'hamlet' } },
        { id: sha, message: 'Bury', url: `${there}/commit/${sha}`, author: { username: 'yorick' } },
      ],
    },
    'elsinore / main',
    `yorick [pushed](${there}/compare/a...b) 2 commits to branch \`main\`. Commits by hamlet (1) and yorick (1).\n\n* Dig (${COMMIT})\n* Bury (${COMMIT})`,
  ),
  one('push', { ref: 'refs/tags/v1' }, 'elsinore / v1', 'yorick pushed the tag `v1`.'),
]

/** Every event of GitHub's documentation in November 2026 that isn't among the examples. */
export const githubUnannounced: readonly string[] = [
  'bypass_request_secret_scanning',
  'custom_property',
  'custom_property_values',
  'deployment_protection_rule',
  'dismissal_request_code_scanning',
  'dismissal_request_dependabot',
  'dismissal_request_secret_scanning',
  'exemption_request_push_ruleset',
  'github_app_authorization',
  'installation',
  'installation_repositories',
  'installation_target',
  'issue_dependencies',
  'marketplace_purchase',
  'organization_custom_property',
  'organization_custom_property_values',
  'personal_access_token_request',
  'project',
  'project_card',
  'project_column',
  'projects_v2_item',
  'repository_dispatch',
  'secret_scanning_alert_location',
  'secret_scanning_scan',
  'security_advisory',
  'security_and_analysis',
  'workflow_job',
]
