import * as v from 'valibot'
import { label, on, skip, skippedAction, text, textAt, wordFor } from '../format/event.ts'
import { type Service, signedIn } from '../format/service.ts'
import { code, link, quote, quoteMarkdown, topicName, untrustedLine } from '../format/text.ts'

const project = v.nullish(v.union([v.object({ name: text, slug: text }), label]))
const nameOf = (found: v.InferOutput<typeof project>) =>
  typeof found === 'object' && found !== null ? found.name || found.slug : (found ?? '')
const problem = v.object({
  title: text,
  culprit: text,
  level: text,
  web_url: text,
  permalink: text,
  issue_url: text,
  project,
})
const actor = v.nullish(v.object({ name: text }))

const about = ({ title, culprit, level, web_url, permalink }: v.InferOutput<typeof problem>) =>
  `${link(title || 'An error', web_url || permalink)}${level ? ` (${untrustedLine(level)})` : ''}${culprit ? ` in ${code(culprit)}` : ''}`

const verbs: Readonly<Record<string, string>> = {
  created: 'is new',
  resolved: 'was resolved',
  assigned: 'was assigned',
  unassigned: 'was unassigned',
  archived: 'was archived',
  ignored: 'was archived',
  unresolved: 'was reopened',
}

function eventOf(payload: unknown): string {
  const { success, output } = v.safeParse(v.object({ data: v.record(v.string(), v.unknown()) }), payload)
  if (!success) return 'message'
  return (
    ['event', 'error', 'metric_alert', 'comment', 'installation', 'issue'].find((name) =>
      Object.hasOwn(output.data, name),
    ) ?? 'issue'
  )
}

/** Integrations of Sentry, and its older webhooks, which name no resource. */
export const sentry: Service = {
  name: 'sentry',
  displayName: 'Sentry',
  headers: ['sentry-hook-resource', 'sentry-hook-signature', 'request-id'],
  deliveryHeader: 'request-id',
  secret: { option: 'sentry_secret', isProven: signedIn('sentry-hook-signature') },
  eventOf,
  alsoNamed: (payload) => {
    const action = textAt(payload, 'action')
    return action ? [`${eventOf(payload)}:${action}`] : []
  },
  events: {
    issue: on(
      v.object({ action: v.string(), actor, data: v.object({ issue: problem }) }),
      ({ action, actor, data: { issue } }) => {
        const verb = wordFor(verbs, action)
        if (!verb) return skippedAction(action)
        const by = action !== 'created' && actor?.name ? ` by ${untrustedLine(actor.name)}` : ''
        return {
          topic: topicName(nameOf(issue.project) || 'Sentry', issue.title),
          content: `${about(issue)} ${verb}${by}.`,
        }
      },
    ),
    event: on(
      v.object({ data: v.object({ event: problem, triggered_rule: text }) }),
      ({ data: { event, triggered_rule } }) => ({
        topic: topicName('Sentry', event.title),
        content: `${about(event)} triggered the alert **${untrustedLine(triggered_rule) || 'of an issue'}**.`,
      }),
    ),
    error: on(v.object({ data: v.object({ error: problem }) }), ({ data: { error } }) => ({
      topic: topicName('Sentry', error.title),
      content: `${about(error)} happened.`,
    })),
    metric_alert: on(
      v.object({
        action: v.string(),
        data: v.object({ description_title: text, description_text: text, web_url: text, metric_alert: v.unknown() }),
      }),
      ({ action, data }) => ({
        topic: topicName('Sentry', 'metric alerts'),
        content: `${link(data.description_title || 'A metric alert', data.web_url)} is **${untrustedLine(action)}**.${quote(data.description_text)}`,
      }),
    ),
    comment: on(
      v.object({ actor, action: text, data: v.object({ comment: text, project_slug: text }) }),
      ({ actor, data }) => ({
        topic: topicName(data.project_slug || 'Sentry'),
        content: `${untrustedLine(actor?.name ?? '') || 'Somebody'} commented on an issue.${quoteMarkdown(data.comment)}`,
      }),
    ),
    message: on(
      v.object({ project_name: text, message: text, url: text, culprit: text, level: text }),
      ({ project_name, message, url, culprit, level }) =>
        message || url
          ? {
              topic: topicName(project_name || 'Sentry', message),
              content: `${about({ title: message, culprit, level, web_url: url, permalink: '', issue_url: '', project: undefined })} happened.`,
            }
          : skip('It has neither data nor a message.'),
    ),
  },
  unannounced: { installation: 'It is about the integration itself.' },
}
