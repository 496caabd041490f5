import * as v from 'valibot'
import { on, type Reader, skip, skippedAction, text, textAt, wordFor } from '../format/event.ts'
import { type Service, signedIn } from '../format/service.ts'
import { code, link, listed, quoteMarkdown, topicName, untrustedLine } from '../format/text.ts'

const named = v.nullish(v.object({ name: text }))
const common = { action: v.string(), url: text, actor: named }
const who = (actor: v.InferOutput<typeof named>) => untrustedLine(actor?.name ?? '') || 'Somebody'
const verbs: Readonly<Record<string, string>> = { create: 'created', update: 'updated', remove: 'deleted' }
const verbOf = (action: string) => wordFor(verbs, action)
const fields: Readonly<Record<string, string>> = {
  stateId: 'state',
  assigneeId: 'assignee',
  priority: 'priority',
  title: 'title',
  description: 'description',
  labelIds: 'labels',
  dueDate: 'due date',
  projectId: 'project',
  cycleId: 'cycle',
  estimate: 'estimate',
  parentId: 'parent',
}

const issue = on(
  v.object({
    ...common,
    updatedFrom: v.nullish(v.record(v.string(), v.unknown()), {}),
    data: v.object({
      identifier: text,
      title: text,
      description: text,
      state: named,
      assignee: named,
      priorityLabel: text,
      team: v.nullish(v.object({ key: text, name: text })),
    }),
  }),
  ({ action, url, actor, data, updatedFrom }, { titled }) => {
    const verb = verbOf(action)
    if (!verb) return skippedAction(action)
    const topic = topicName(`${data.identifier} ${data.title}`)
    const item = link(titled && action !== 'create' ? `${data.identifier} ${data.title}` : data.identifier, url)
    const assigned = data.assignee?.name ? `, assigned to ${untrustedLine(data.assignee.name)}` : ''
    if (action === 'create')
      return {
        topic,
        content: `${who(actor)} created ${item}: **${untrustedLine(data.title)}**${assigned}${quoteMarkdown(data.description)}`,
      }
    if (action === 'remove') return { topic, content: `${who(actor)} deleted ${item}.` }
    const changed = Object.keys(updatedFrom).flatMap((name) => (Object.hasOwn(fields, name) ? [fields[name]!] : []))
    if (changed.length === 0) return skip('The update changed nothing that is announced.')
    const values = [
      changed.includes('state') && data.state?.name ? `state **${untrustedLine(data.state.name)}**` : '',
      changed.includes('assignee') ? `assignee **${untrustedLine(data.assignee?.name ?? '') || 'nobody'}**` : '',
      changed.includes('priority') && data.priorityLabel ? `priority **${untrustedLine(data.priorityLabel)}**` : '',
    ].filter(Boolean)
    return {
      topic,
      content: `${who(actor)} changed the ${listed(changed)} of ${item}${values.length ? `: ${values.join(', ')}` : ''}.`,
    }
  },
)

const comment = on(
  v.object({
    ...common,
    data: v.object({ body: text, issue: v.nullish(v.object({ identifier: text, title: text })) }),
  }),
  ({ action, url, actor, data: { body, issue } }) => {
    const words: Readonly<Record<string, string>> = {
      create: link('commented', url),
      update: `edited a ${link('comment', url)}`,
      remove: 'deleted a comment',
    }
    if (!Object.hasOwn(words, action)) return skippedAction(action)
    const name = `${issue?.identifier ?? ''} ${issue?.title ?? ''}`.trim()
    return {
      topic: topicName(name || 'Linear'),
      content: `${who(actor)} ${words[action]} on ${code(issue?.identifier || 'an issue')}.${quoteMarkdown(body)}`,
    }
  },
)

const thing = (kind: string): Reader =>
  on(
    v.object({ ...common, data: v.object({ name: text, title: text, body: text }) }),
    ({ action, url, actor, data }) => {
      const verb = verbOf(action)
      return verb
        ? {
            topic: topicName('Linear', `${kind}s`),
            content: `${who(actor)} ${verb} the ${kind} ${link(data.name || data.title || kind, url)}.${quoteMarkdown(data.body)}`,
          }
        : skippedAction(action)
    },
  )

export const linear: Service = {
  name: 'linear',
  displayName: 'Linear',
  headers: ['linear-event', 'linear-delivery', 'linear-signature'],
  deliveryHeader: 'linear-delivery',
  secret: { option: 'linear_secret', isProven: signedIn('linear-signature') },
  eventOf: (payload, header) => textAt(payload, 'type') || header,
  alsoNamed: (payload) => [`${textAt(payload, 'type')}:${textAt(payload, 'action')}`],
  events: {
    Issue: issue,
    Comment: comment,
    Project: thing('project'),
    ProjectUpdate: thing('project update'),
    Cycle: thing('cycle'),
    Initiative: thing('initiative'),
    Document: thing('document'),
  },
  unannounced: {
    IssueLabel: 'Labels are administration of the team.',
    Reaction: 'Reactions change too often.',
    User: 'Accounts are administration of the workspace.',
    Attachment: 'The issue shows its attachments.',
    IssueSLA: 'The issue shows its state.',
  },
}
