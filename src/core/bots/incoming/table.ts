import * as v from 'valibot'
import { statePart } from '../../events/log/state-part.ts'
import { githubEvents } from './github-events.ts'
import { gitlabEvents } from './gitlab-events.ts'

const option = v.strictObject({ key: v.string(), label: v.string(), validator: v.string() })
const integrationShape = v.strictObject({
  /** The part of its address after /external/. */
  name: v.string(),
  display_name: v.string(),
  /** Types of events it announces; null if it has no types. */
  all_event_types: v.nullable(v.array(v.string())),
  /** Options in its bot's config_data. */
  config_options: v.array(option),
})
type Integration = v.InferOutput<typeof integrationShape>

const textOption = (key: string, label: string) => ({ key, label, validator: 'check_string' })
const plain = (name: string, display_name: string): Integration => ({
  name,
  display_name,
  all_event_types: null,
  config_options: [],
})

/** Services that can post to incoming webhooks. */
export const integrations: readonly Integration[] = [
  { ...plain('github', 'GitHub'), all_event_types: Object.keys(githubEvents) },
  { ...plain('gitlab', 'GitLab'), all_event_types: Object.keys(gitlabEvents) },
  {
    ...plain('json', 'JSON'),
    config_options: [
      textOption('template', 'The message, with {names.of.members} of the JSON'),
      textOption('topic_template', 'The topic, likewise'),
    ],
  },
  plain('mattermost', 'Mattermost'),
  plain('slack', 'Slack'),
  plain('slack_incoming', 'Slack-compatible webhook'),
]

/** The integrations in register's response. */
export const integrationState = statePart({ realm_incoming_webhook_bots: v.array(integrationShape) }, async () => ({
  realm_incoming_webhook_bots: [...integrations],
}))
