import * as v from 'valibot'
import { branchOf, isTag } from '../../format/commits.ts'
import { label, on, type Reader, text, textAt, wordFor } from '../../format/event.ts'
import { type Service, signedIn } from '../../format/service.ts'
import { code, link, quoteMarkdown, shortened, topicName, untrustedLine } from '../../format/text.ts'
import { checkRun, checkSuite, mergeGroup, status, workflowRun } from './checks.ts'
import { commitComment, discussionComment, issueComment, reviewComment } from './comments.ts'
import { deployment, deploymentReview, deploymentStatus, pageBuild } from './deployments.ts'
import { discussion, issues, relatedIssue, subIssues } from './issues.ts'
import { membership, organization, teamAdd, teamEvent } from './organization.ts'
import { pullRequestEvent, review, reviewThread } from './pull-requests.ts'
import { made, pushOf } from './push.ts'
import { fork, packageOf, ping, publicized, release, repositoryEvent, wiki } from './repository.ts'
import { advisory, alertOf, severe } from './security.ts'
import { common, simple, state, user, who } from './shapes.ts'

const crud = { created: 'created', edited: 'edited', deleted: 'deleted' }
/** By event of GitHub; `push` and `pull_request` have the names of Zulip's integration, by which addresses filter. */
const events: Readonly<Record<string, Reader>> = {
  branch_protection_configuration: simple(
    {},
    { enabled: 'enabled', disabled: 'disabled' },
    () => 'all branch protections',
  ),
  branch_protection_rule: simple(
    { rule: v.object({ name: v.string() }) },
    crud,
    ({ rule }) => `the branch protection ${code(rule.name)}`,
  ),
  check_run: checkRun,
  check_suite: checkSuite,
  code_scanning_alert: alertOf(
    'code scanning',
    { html_url: text, rule: v.object({ description: text, severity: text }) },
    ({ html_url, rule }) => [severe(rule.description, rule.severity), html_url],
  ),
  commit_comment: commitComment,
  create: made('created'),
  delete: made('deleted'),
  dependabot_alert: alertOf(
    'Dependabot',
    {
      html_url: text,
      security_advisory: v.object({ summary: text, severity: text }),
      dependency: v.nullish(v.object({ package: v.nullish(v.object({ name: text })) })),
    },
    ({ html_url, security_advisory: a, dependency }) => [
      `${severe(a.summary, a.severity)} in ${code(dependency?.package?.name ?? 'a package')}`,
      html_url,
    ],
  ),
  deploy_key: simple({ key: v.object({ title: v.string() }) }, crud, ({ key }) => `the deploy key ${code(key.title)}`),
  deployment,
  deployment_review: deploymentReview,
  deployment_status: deploymentStatus,
  discussion,
  discussion_comment: discussionComment,
  fork,
  gollum: wiki,
  issue_comment: issueComment,
  issue_relates_to: relatedIssue,
  issues,
  label: simple({ label: v.object({ name: v.string() }) }, crud, ({ label }) => `the label ${code(label.name)}`),
  member: simple(
    { member: user },
    { added: 'added the collaborator', removed: 'removed the collaborator', edited: 'changed the rights of' },
    ({ member }) => who(member),
  ),
  membership,
  merge_group: mergeGroup,
  meta: simple({}, { deleted: 'deleted' }, () => 'this webhook'),
  milestone: simple(
    { milestone: v.object({ title: v.string(), html_url: text }) },
    { ...crud, opened: 'reopened', closed: 'closed' },
    ({ milestone }) => `the milestone ${link(milestone.title, milestone.html_url)}`,
  ),
  org_block: simple({ blocked_user: user }, { blocked: 'blocked', unblocked: 'unblocked' }, ({ blocked_user }) =>
    who(blocked_user),
  ),
  organization,
  package: packageOf('package'),
  page_build: pageBuild,
  ping,
  projects_v2: simple(
    { projects_v2: v.object({ title: v.string() }) },
    { ...crud, closed: 'closed', reopened: 'reopened' },
    ({ projects_v2 }) => `the project **${untrustedLine(projects_v2.title)}**`,
  ),
  projects_v2_status_update: simple(
    { projects_v2_status_update: v.object({ status: label, body: text }) },
    { created: 'posted', edited: 'edited', deleted: 'deleted' },
    ({ projects_v2_status_update: { status, body } }) =>
      `a status update of a project: ${state(status.toLowerCase())}${quoteMarkdown(body)}`,
  ),
  public: publicized,
  pull_request: pullRequestEvent,
  pull_request_review: review,
  pull_request_review_comment: reviewComment,
  pull_request_review_thread: reviewThread,
  push_commits: pushOf('branch'),
  push_tags: pushOf('tag'),
  registry_package: packageOf('registry_package'),
  release,
  repository: repositoryEvent,
  repository_advisory: advisory,
  repository_import: on(v.object({ ...common, status: v.string() }), ({ repository, status }) => ({
    topic: topicName(repository.name),
    content: `The import of the repository ended: ${state(status)}.`,
  })),
  repository_ruleset: simple(
    { repository_ruleset: v.object({ name: v.string() }) },
    crud,
    ({ repository_ruleset }) => `the ruleset **${untrustedLine(repository_ruleset.name)}**`,
  ),
  repository_vulnerability_alert: alertOf(
    'vulnerability',
    { affected_package_name: text, severity: text, external_reference: text },
    ({ affected_package_name: name, severity, external_reference }) => [severe(name, severity), external_reference],
  ),
  secret_scanning_alert: alertOf(
    'secret scanning',
    { html_url: text, secret_type_display_name: text, secret_type: text },
    ({ html_url, secret_type_display_name, secret_type }) => [
      `**${untrustedLine(secret_type_display_name || secret_type)}**`,
      html_url,
    ],
  ),
  sponsorship: simple(
    { sponsorship: v.object({ sponsor: user, tier: v.nullish(v.object({ name: text })) }) },
    {
      created: 'started a sponsorship',
      cancelled: 'ended a sponsorship',
      edited: 'edited a sponsorship',
      tier_changed: 'changed a sponsorship',
    },
    ({ sponsorship: { sponsor, tier } }) => `by ${who(sponsor)}${tier?.name ? ` (${untrustedLine(tier.name)})` : ''}`,
  ),
  star: simple({}, { created: 'starred', deleted: 'unstarred' }, () => 'the repository'),
  status,
  sub_issues: subIssues,
  team: teamEvent,
  team_add: teamAdd,
  watch: simple({}, { started: 'starred' }, () => 'the repository'),
  workflow_dispatch: on(
    v.object({ ...common, ref: text, workflow: text }),
    ({ repository, sender, ref, workflow }) => ({
      topic: topicName(repository.name, branchOf(ref)),
      content: `${who(sender)} started the workflow ${code(workflow.split('/').at(-1) ?? '')} on ${code(branchOf(ref))}.`,
    }),
  ),
  workflow_run: workflowRun,
}

const perApp = 'GitHub sends it to apps, not to webhooks.'
const properties = 'Properties are administration of the organization.'
const requests = 'Requests to be exempt from rules are confidential.'
const classic = 'Classic projects no longer exist.'
const unannounced: Readonly<Record<string, string>> = {
  bypass_request_secret_scanning: requests,
  custom_property: properties,
  custom_property_values: properties,
  deployment_protection_rule: perApp,
  dismissal_request_code_scanning: requests,
  dismissal_request_dependabot: requests,
  dismissal_request_secret_scanning: requests,
  exemption_request_push_ruleset: requests,
  github_app_authorization: perApp,
  installation: perApp,
  installation_repositories: perApp,
  installation_target: perApp,
  issue_dependencies: 'Both issues show the dependency.',
  marketplace_purchase: perApp,
  organization_custom_property: properties,
  organization_custom_property_values: properties,
  personal_access_token_request: 'Requests for tokens are confidential.',
  project: classic,
  project_card: classic,
  project_column: classic,
  projects_v2_item: 'Items of a project change too often, and their issues are announced.',
  repository_dispatch: 'It starts programs and has no text.',
  secret_scanning_alert_location: 'The alert itself is announced.',
  secret_scanning_scan: 'Alerts that a scan finds are announced.',
  security_advisory: 'It is about all of GitHub, and a repository gets an alert if it is affected.',
  security_and_analysis: 'Settings of the analysis are administration of the repository.',
  workflow_job: 'The run that the job belongs to is announced.',
}

/** The names that Zulip's integration has for some actions on pull requests. */
const pullNames: Readonly<Record<string, string>> = {
  opened: 'opened_pull_request',
  reopened: 'opened_pull_request',
  closed: 'closed_pull_request',
  assigned: 'assigned_or_unassigned_pull_request',
  unassigned: 'assigned_or_unassigned_pull_request',
  review_requested: 'pull_request_review_requested',
  ready_for_review: 'pull_request_ready_for_review',
  locked: 'locked_or_unlocked_pull_request',
  unlocked: 'locked_or_unlocked_pull_request',
  auto_merge_enabled: 'pull_request_auto_merge',
  auto_merge_disabled: 'pull_request_auto_merge',
  synchronize: 'updated_pull_request',
  edited: 'updated_pull_request',
}

export const github: Service = {
  name: 'github',
  displayName: 'GitHub',
  hasBranches: true,
  headers: ['x-github-event', 'x-github-delivery', 'x-hub-signature-256'],
  eventHeader: 'x-github-event',
  deliveryHeader: 'x-github-delivery',
  secret: { option: 'github_secret', isProven: signedIn('x-hub-signature-256', 'sha256=') },
  eventOf: (payload, header) =>
    header === 'push' ? (isTag(textAt(payload, 'ref')) ? 'push_tags' : 'push_commits') : header,
  alsoNamed(payload, header) {
    const action = shortened(textAt(payload, 'action'), 100)
    if (action === '') return []
    const known = header === 'pull_request' && wordFor(pullNames, action)
    return [...(known ? [known] : []), `${header}:${action}`]
  },
  events,
  unannounced,
}
