import type { Integration } from '../../shapes/integration.ts'
import type { Service } from './format/service.ts'
import { alertmanager, grafana } from './services/alerts.ts'
import { homeAssistant, ifttt, zapier } from './services/automation.ts'
import { bitbucket } from './services/bitbucket.ts'
import { azureDevops, buildkite, circleci, jenkins } from './services/builds.ts'
import { forgejo, gitea } from './services/gitea.ts'
import { github } from './services/github/github.ts'
import { gitlab } from './services/gitlab/gitlab.ts'
import { jira } from './services/jira.ts'
import { json } from './services/json.ts'
import { linear } from './services/linear.ts'
import { netlify } from './services/netlify.ts'
import { pagerduty } from './services/pagerduty.ts'
import { sentry } from './services/sentry.ts'
import { statuspage } from './services/statuspage.ts'
import { stripe } from './services/stripe.ts'
import { trello } from './services/trello.ts'
import { uptimeKuma } from './services/uptime-kuma.ts'
import { zendesk } from './services/zendesk.ts'

/** The services whose events an incoming webhook understands. */
export const services: readonly Service[] = [
  alertmanager,
  azureDevops,
  bitbucket,
  buildkite,
  circleci,
  forgejo,
  gitea,
  github,
  gitlab,
  grafana,
  homeAssistant,
  ifttt,
  jenkins,
  jira,
  json,
  linear,
  netlify,
  pagerduty,
  sentry,
  statuspage,
  stripe,
  trello,
  uptimeKuma,
  zapier,
  zendesk,
]

const formOf = (name: string, display_name: string): Integration => ({
  name,
  display_name,
  all_event_types: null,
  config_options: [],
  url_options: [],
})

const branches = { key: 'branches', label: 'Branches, separated by commas', input_type: 'text' }
const titles = {
  key: 'use_merge_request_title',
  label: 'Titles of merge requests in topics',
  input_type: 'checkbox',
}

const integrationOf = ({ name, displayName, events, secret, options = {}, ...has }: Service): Integration => {
  const types = Object.keys(events).filter((type) => type !== '*')
  const labels = { ...options, ...(secret && { [secret.option]: 'The secret that the service signs requests with' }) }
  return {
    name,
    display_name: displayName,
    all_event_types: types.length > 0 ? types : null,
    config_options: Object.entries(labels).map(([key, label]) => ({ key, label, validator: 'check_string' })),
    url_options: [...(has.hasBranches ? [branches] : []), ...(has.hasMergeRequests ? [titles] : [])],
  }
}

/** The integrations that every organization has. */
export const integrations: readonly Integration[] = [
  ...services.map(integrationOf),
  formOf('mattermost', 'Mattermost'),
  formOf('slack', 'Slack'),
  formOf('slack_incoming', 'Slack-compatible webhook'),
]
