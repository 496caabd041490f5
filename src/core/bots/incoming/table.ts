import * as v from 'valibot'
import { statePart } from '../../events/log/state-part.ts'
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
import { pagerduty } from './services/pagerduty.ts'
import { sentry } from './services/sentry.ts'
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
  pagerduty,
  sentry,
  stripe,
  trello,
  uptimeKuma,
  zapier,
  zendesk,
]

const option = v.strictObject({ key: v.string(), label: v.string(), validator: v.string() })
const integrationShape = v.strictObject({
  /** The last part of its address, after /external/. */
  name: v.string(),
  display_name: v.string(),
  /** The kinds of events it announces; null for a service that doesn't name its events. */
  all_event_types: v.nullable(v.array(v.string())),
  /** Options in its bot's config_data. */
  config_options: v.array(option),
  /** Parameters of its address, besides the usual ones. */
  url_options: v.array(v.strictObject({ key: v.string(), label: v.string(), input_type: v.string() })),
})
type Integration = v.InferOutput<typeof integrationShape>

const formOf = (name: string, display_name: string): Integration => ({
  name,
  display_name,
  all_event_types: null,
  config_options: [],
  url_options: [],
})

const integrationOf = ({ name, displayName, events, secret, options = {}, hasBranches }: Service): Integration => {
  const types = Object.keys(events).filter((type) => type !== '*')
  const labels = { ...options, ...(secret && { [secret.option]: 'The secret that the service signs requests with' }) }
  return {
    name,
    display_name: displayName,
    all_event_types: types.length > 0 ? types : null,
    config_options: Object.entries(labels).map(([key, label]) => ({ key, label, validator: 'check_string' })),
    url_options: hasBranches ? [{ key: 'branches', label: 'Branches, separated by commas', input_type: 'text' }] : [],
  }
}

export const integrations: readonly Integration[] = [
  ...services.map(integrationOf),
  formOf('mattermost', 'Mattermost'),
  formOf('slack', 'Slack'),
  formOf('slack_incoming', 'Slack-compatible webhook'),
].sort((a, b) => (a.name < b.name ? -1 : 1))

/** The integrations in register's response. */
export const integrationState = statePart({ realm_incoming_webhook_bots: v.array(integrationShape) }, async () => ({
  realm_incoming_webhook_bots: [...integrations],
}))
