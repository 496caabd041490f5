import * as v from 'valibot'
import { on, type Reader, skippedAction, text, wordFor } from '../../format/event.ts'
import { link, topicName, untrustedLine } from '../../format/text.ts'
import { action, repository } from './shapes.ts'

const alertActions: Readonly<Record<string, string>> = {
  created: 'opened',
  create: 'opened',
  appeared_in_branch: 'appeared in a branch',
  reopened: 'reopened',
  reopened_by_user: 'reopened',
  reintroduced: 'opened again',
  auto_reopened: 'reopened automatically',
  dismissed: 'dismissed',
  dismiss: 'dismissed',
  auto_dismissed: 'dismissed automatically',
  closed_by_user: 'closed',
  fixed: 'fixed',
  resolve: 'resolved',
  resolved: 'resolved',
  validated: 'validated',
  publicly_leaked: 'found in public',
}

export const alertOf = <E extends v.ObjectEntries>(
  kind: string,
  alert: E,
  about: (alert: v.InferOutput<v.ObjectSchema<E, undefined>>) => readonly [what: string, url: string],
): Reader => {
  const place = v.object({ repository, action })
  return (payload, event, view) =>
    on(place, ({ repository: repo, action }) =>
      on(v.object({ alert: v.object(alert) }), ({ alert }) => {
        const verb = wordFor(alertActions, action)
        if (!verb) return skippedAction(action)
        const [what, url] = about(alert as v.InferOutput<v.ObjectSchema<E, undefined>>)
        return {
          topic: topicName(repo.name, 'security'),
          content: `The ${link(`${kind} alert`, url)} was ${verb}: ${what}.`.replace('was appeared', 'appeared'),
        }
      })(payload, event, view),
    )(payload, event, view)
}

export const severe = (name: string, severity: string) =>
  `**${untrustedLine(name)}**${severity ? ` (severity: ${untrustedLine(severity)})` : ''}`

export const advisory = on(
  v.object({
    repository,
    action,
    repository_advisory: v.object({ ghsa_id: v.string(), summary: text, html_url: text, severity: text }),
  }),
  ({ repository, action, repository_advisory: a }) =>
    action === 'published' || action === 'reported'
      ? {
          topic: topicName(repository.name, 'security'),
          content: `The advisory ${link(a.ghsa_id, a.html_url)} was ${action}: ${severe(a.summary, a.severity)}.`,
        }
      : skippedAction(action),
)
