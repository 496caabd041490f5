import {
  bitbucket,
  CARD,
  circle,
  DEPLOY,
  type Example,
  gitea,
  html,
  incident,
  JIRA,
  jiraIssue,
  netlify,
  one,
  pullrequest,
  there,
  trello,
  yorick,
} from './service-events.ts'

const azure = (eventType: string, text: string, resource: object, topic: string) =>
  one('azuredevops', { eventType, message: { text }, resource }, topic, text)
const inRepository = { repository: { name: 'elsinore' } }
const inProject = { fields: { 'System.TeamProject': 'Court' } }

const buildkite = (event: string, payload: object, topic: string, content: string) =>
  one('buildkite', payload, topic, content, { 'x-buildkite-event': event })
const pipeline = { name: 'elsinore' }
const build = (state: string) => ({
  pipeline,
  build: { number: 5, web_url: `${there}/b/5`, state, branch: 'main', message: 'Dig', creator: { name: 'Yorick' } },
})

const pr = `[PR #4](${there}/pr/4)`
const onPull = (event: string, content: string, more: object = {}) =>
  bitbucket(`pullrequest:${event}`, { pullrequest, ...more }, 'elsinore / PR #4 Dig', content)
const comment = { comment: { content: { raw: 'Why?' }, links: html('k') } }
const bitbucketIssue = { issue: { id: 9, title: 'Ghost', links: html('i') } }
const issueTopic = 'elsinore / issue #9 Ghost'

const forges = (event: string, payload: object, topic: string, content: string): Example[] =>
  ['gitea', 'forgejo'].map((service) =>
    one(service, { repository: gitea.repository, sender: gitea.sender, ...payload }, topic, content, {
      [`x-${service}-event`]: event,
    }),
  )
const forgeIssue = { issue: { number: 9, title: 'Ghost', html_url: `${there}/issues/9`, body: 'Boo' } }

const FORGE_ISSUE = `[issue #9](${there}/issues/9)`

const jenkins = (phase: string) =>
  one(
    'jenkins',
    { name: 'elsinore', build: { full_url: `${there}/b`, number: 5, phase: phase.toUpperCase() } },
    'elsinore',
    `[Build #5](${there}/b) is **${phase}**.`,
  )

const linear = (type: string, kind: string) =>
  one(
    'linear',
    { type, action: 'update', url: `${there}/l`, actor: { name: 'Yorick' }, data: { name: 'Act 5' } },
    `Linear / ${kind}s`,
    `Yorick updated the ${kind} [Act 5](${there}/l).`,
  )

const deploy = (event: string, words: string) =>
  netlify(
    event,
    { branch: 'main', context: 'production' },
    'elsinore / main',
    `The ${DEPLOY} of \`main\` to [production](${there}/d1) ${words}.`,
  )

const onIncident = (event: string, words: string) =>
  one(
    'pagerduty',
    { event: { event_type: `incident.${event}`, agent: { summary: 'Ghost' }, data: incident } },
    'Banquet / Poison',
    `[#7 Poison](${there}/i/7) (urgency: high) ${words} by Ghost. Assigned to Hamlet.`,
  )

const poison = { title: 'Poison', web_url: `${there}/s`, project: { name: 'feast' } }
const onIssue = (action: string, words: string) =>
  one(
    'sentry',
    { action, actor: { name: 'Yorick' }, data: { issue: poison } },
    'feast / Poison',
    `[Poison](${there}/s) ${words} by Yorick.`,
  )

const linearIssue = (action: string, words: string) =>
  one(
    'linear',
    {
      type: 'Issue',
      action,
      url: `${there}/l`,
      actor: { name: 'Yorick' },
      data: { identifier: 'ELS-9', title: 'Ghost' },
    },
    'ELS-9 Ghost',
    `Yorick ${words} [ELS-9](${there}/l).`,
  )
const linearComment = (action: string, words: string) =>
  one(
    'linear',
    {
      type: 'Comment',
      action,
      url: `${there}/k`,
      actor: { name: 'Yorick' },
      data: { body: 'Boo', issue: { identifier: 'ELS-9', title: 'Ghost' } },
    },
    'ELS-9 Ghost',
    `Yorick ${words} on \`ELS-9\`.\n\n~~~ quote\nBoo\n~~~`,
  )

const monitor = (status: number, words: string) =>
  one(
    'uptime_kuma',
    { monitor: { name: 'gate', url: there }, heartbeat: { status, msg: '' }, msg: 'x' },
    'gate',
    `[gate](${there}) ${words}.`,
  )

const unannounced = (service: string, header: string, ...events: string[]): Example[] =>
  events.map((event) => ({ service, payload: {}, headers: { [header]: event } }))

/** Made by hand from the documentation of each service, for events that are not among its usual ones. */
export const rarerExamples: readonly Example[] = [
  azure('git.pullrequest.created', 'Yorick created pull request 4 (Dig)', inRepository, 'elsinore'),
  azure('git.pullrequest.updated', 'Yorick approved pull request 4 (Dig)', inRepository, 'elsinore'),
  azure('git.pullrequest.merged', 'Yorick completed pull request 4 (Dig)', inRepository, 'elsinore'),
  azure(
    'ms.vss-code.git-pullrequest-comment-event',
    'Yorick has commented on a pull request',
    inRepository,
    'elsinore',
  ),
  azure('build.complete', 'Build 5 succeeded', { definition: { name: 'elsinore CI' } }, 'elsinore CI'),
  azure('ms.vss-pipelines.run-state-changed-event', 'Run 5 succeeded', { project: { name: 'Court' } }, 'Court'),
  azure('ms.vss-release.deployment-completed-event', 'Deployment of Dig succeeded', {}, 'Azure DevOps'),
  azure('workitem.updated', 'Bug #5 was resolved', inProject, 'Court'),
  azure('workitem.commented', 'Bug #5 commented on by Yorick', inProject, 'Court'),
  azure('workitem.deleted', 'Bug #5 deleted', inProject, 'Court'),
  azure('workitem.restored', 'Bug #5 restored', inProject, 'Court'),
  azure('tfvc.checkin', 'Yorick checked in changeset 5: Dig', {}, 'Azure DevOps'),
  onPull('updated', `Yorick updated ${pr}.`),
  onPull('approved', `Yorick approved ${pr}.`),
  onPull('unapproved', `Yorick withdrew the approval of ${pr}.`),
  onPull('changes_request_created', `Yorick requested changes in ${pr}.`),
  onPull('changes_request_removed', `Yorick withdrew the request for changes in ${pr}.`),
  onPull('rejected', `Yorick declined ${pr}.`),
  onPull('comment_updated', `Yorick [edited a comment](${there}/k) on ${pr}.\n\n~~~ quote\nWhy?\n~~~`, comment),
  onPull('comment_deleted', `Yorick [deleted a comment](${there}/k) on ${pr}.\n\n~~~ quote\nWhy?\n~~~`, comment),
  bitbucket('issue:updated', bitbucketIssue, issueTopic, `Yorick updated [issue #9](${there}/i).`),
  bitbucket(
    'issue:comment_created',
    { ...bitbucketIssue, ...comment },
    issueTopic,
    `Yorick commented on [issue #9](${there}/i).\n\n~~~ quote\nWhy?\n~~~`,
  ),
  bitbucket(
    'repo:commit_status_created',
    { commit_status: { key: 'CI', state: 'INPROGRESS', url: `${there}/s`, refname: 'main' } },
    'elsinore / main',
    `The build [CI](${there}/s) is **in progress**.`,
  ),
  ...['scheduled', 'running', 'failing', 'blocked', 'skipped'].map((state) =>
    buildkite(
      `build.${state}`,
      build(state),
      'elsinore / main',
      `[Build #5](${there}/b/5) for **Dig** on \`main\` by Yorick is **${state}**.`,
    ),
  ),
  ...['started', 'activated'].map((state) =>
    buildkite(
      `job.${state}`,
      { pipeline, build: { branch: 'main' }, job: { name: 'test', state, web_url: `${there}/j` } },
      'elsinore / main',
      `[Job test](${there}/j) on \`main\` is **${state}**.`,
    ),
  ),
  buildkite('ping', { service: { id: '1' } }, 'Buildkite', 'The webhook is set up.'),
  ...unannounced(
    'buildkite',
    'x-buildkite-event',
    'job.scheduled',
    'agent.disconnected',
    'agent.lost',
    'agent.stopped',
    'agent.stopping',
  ),
  one('circleci', { type: 'ping', ...circle }, 'CircleCI', 'The webhook is set up.'),
  ...forges('create', { ref: 'grave', ref_type: 'branch' }, 'elsinore / grave', 'yorick created the branch `grave`.'),
  ...forges('delete', { ref: 'grave', ref_type: 'branch' }, 'elsinore / grave', 'yorick deleted the branch `grave`.'),
  ...forges('push', { ref: 'refs/tags/v5', commits: [] }, 'elsinore / v5', 'yorick pushed the tag `v5`.'),
  ...forges(
    'fork',
    { forkee: { full_name: 'norway/elsinore', html_url: `${there}/f` } },
    'elsinore',
    `yorick forked the repository as [norway/elsinore](${there}/f).`,
  ),
  ...forges(
    'issues',
    { action: 'opened', ...forgeIssue },
    issueTopic,
    `yorick opened ${FORGE_ISSUE}: **Ghost**\n\n~~~ quote\nBoo\n~~~`,
  ),
  ...forges(
    'issue_comment',
    { action: 'created', ...forgeIssue, comment: { html_url: `${there}/k`, body: 'Why?' } },
    issueTopic,
    `yorick [commented](${there}/k) on ${FORGE_ISSUE}.\n\n~~~ quote\nWhy?\n~~~`,
  ),
  ...forges(
    'release',
    { action: 'published', release: { name: 'Act 5', tag_name: 'v5', html_url: there } },
    'elsinore / releases',
    `yorick published the release [Act 5](${there}) of the tag \`v5\`.`,
  ),
  ...forges(
    'repository',
    { action: 'created' },
    'elsinore',
    `yorick created the repository [dane/elsinore](${there}).`,
  ),
  ...forges(
    'pull_request_rejected',
    { ...gitea, review: { content: 'Deeper' } },
    'elsinore / PR #4 Dig',
    `yorick requested changes in [PR #4](${there}/pulls/4).\n\n~~~ quote\nDeeper\n~~~`,
  ),
  ...forges(
    'pull_request_comment',
    { ...gitea, review: { content: 'Deep' } },
    'elsinore / PR #4 Dig',
    `yorick commented on [PR #4](${there}/pulls/4).\n\n~~~ quote\nDeep\n~~~`,
  ),
  ...forges(
    'status',
    { sha: 'abcdef1234567890', state: 'failure', context: 'dig', description: 'No spade', target_url: `${there}/s` },
    'elsinore / abcdef1',
    `[dig](${there}/s) of [abcdef1](${there}/commit/abcdef1234567890) is **failure**: No spade`,
  ),
  ...forges(
    'workflow_run',
    {
      action: 'completed',
      workflow: { name: 'CI' },
      workflow_run: {
        display_title: 'Dig',
        head_branch: 'main',
        html_url: `${there}/actions/runs/3`,
        conclusion: 'success',
      },
    },
    'elsinore / main',
    `The workflow [CI](${there}/actions/runs/3) for **Dig** on \`main\` ended: **success**.`,
  ),
  ...forges(
    'wiki',
    { action: 'edited', page: 'Ghosts', comment: 'One more' },
    'elsinore / wiki',
    'yorick edited the wiki page **Ghosts**.\n\n~~~ quote\nOne more\n~~~',
  ),
  ...forges(
    'package',
    { action: 'created', package: { name: 'spade', type: 'npm', version: '1.0.0', html_url: `${there}/p` } },
    'elsinore / packages',
    `yorick created the npm package [spade 1.0.0](${there}/p).`,
  ),
  ...['gitea', 'forgejo'].flatMap((service) => unannounced(service, `x-${service}-event`, 'workflow_job')),
  jenkins('queued'),
  jenkins('started'),
  ...(
    [
      ['comment_updated', 'edited a comment on'],
      ['comment_deleted', 'deleted a comment on'],
    ] as const
  ).map(([webhookEvent, words]) =>
    one(
      'jira',
      { webhookEvent, issue: jiraIssue, comment: { author: yorick, body: 'Boo' } },
      'ELS-9 Ghost',
      `Yorick ${words} ${JIRA}.\n\n~~~ quote\nBoo\n~~~`,
    ),
  ),
  linearIssue('remove', 'deleted'),
  linearComment('update', `edited a [comment](${there}/k)`),
  linearComment('remove', 'deleted a comment'),
  linear('ProjectUpdate', 'project update'),
  linear('Cycle', 'cycle'),
  linear('Initiative', 'initiative'),
  linear('Document', 'document'),
  ...['IssueLabel', 'User', 'Attachment', 'IssueSLA'].map((type) => ({
    service: 'linear',
    payload: { type, action: 'update' },
  })),
  deploy('deploy_building', 'has started'),
  deploy('deploy_deleted', 'was deleted'),
  deploy('deploy_unlocked', 'is unlocked, so that later ones are published automatically'),
  deploy('deploy_request_pending', 'needs approval'),
  deploy('deploy_request_accepted', 'was approved'),
  deploy('deploy_request_rejected', 'was rejected'),
  onIncident('acknowledged', 'was acknowledged'),
  onIncident('unacknowledged', 'was unacknowledged'),
  onIncident('resolved', 'was resolved'),
  onIncident('reopened', 'was reopened'),
  onIncident('reassigned', 'was reassigned'),
  onIncident('delegated', 'was delegated'),
  onIncident('escalated', 'was escalated'),
  onIncident('priority_updated', 'was given another priority'),
  onIncident('annotated', 'was annotated'),
  onIncident('status_update_published', 'has a status update'),
  onIncident('responder.added', 'was given another responder'),
  onIncident('responder.replied', 'was replied to'),
  { service: 'pagerduty', payload: { event: { event_type: 'incident.workflow.started', data: {} } } },
  { service: 'sentry', payload: { action: 'created', data: { installation: { status: 'pending' } } } },
  onIssue('resolved', 'was resolved'),
  onIssue('assigned', 'was assigned'),
  onIssue('unassigned', 'was unassigned'),
  onIssue('archived', 'was archived'),
  onIssue('unresolved', 'was reopened'),
  monitor(1, ':check: is **up**'),
  monitor(2, 'is pending'),
  monitor(3, 'is in maintenance'),
  trello('copyCard', { list: { name: 'To do' } }, `Yorick copied ${CARD} to **To do**.`),
  trello('deleteCard', { list: { name: 'To do' } }, 'Yorick deleted a card from **To do**.'),
  ...(
    [
      ['addMemberToCard', `Yorick added Hamlet to ${CARD}.`],
      ['removeMemberFromCard', `Yorick removed Hamlet from ${CARD}.`],
      ['addMemberToBoard', 'Yorick added Hamlet to the board.'],
    ] as const
  ).map(([type, content]) => {
    const { payload, ...rest } = trello(type, {}, content)
    const { action } = payload as { action: object }
    return { ...rest, payload: { action: { ...action, member: { fullName: 'Hamlet' } } } }
  }),
  trello('addLabelToCard', { label: { name: 'eerie' } }, `Yorick added the label **eerie** to ${CARD}.`),
  trello('removeLabelFromCard', { label: { color: 'red' } }, `Yorick removed the label **red** from ${CARD}.`),
  trello(
    'addAttachmentToCard',
    { attachment: { name: 'map', url: `${there}/map` } },
    `Yorick attached [map](${there}/map) to ${CARD}.`,
  ),
  trello('addChecklistToCard', { checklist: { name: 'Tools' } }, `Yorick added the checklist **Tools** to ${CARD}.`),
  trello('createCheckItem', { checkItem: { name: 'spade' } }, `Yorick added **spade** to a checklist of ${CARD}.`),
  trello(
    'updateCheckItemStateOnCard',
    { checkItem: { name: 'spade', state: 'complete' } },
    `Yorick completed **spade** of ${CARD}.`,
  ),
  trello('createList', { list: { name: 'Done' } }, 'Yorick created the list **Done**.'),
  trello('updateList', { list: { name: 'Done' } }, 'Yorick changed the list **Done**.'),
]
