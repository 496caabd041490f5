import * as v from 'valibot'
import { on, type Reader, skip, text, textAt } from '../format/event.ts'
import type { Service } from '../format/service.ts'
import { link, listed, quote, topicName, untrustedLine } from '../format/text.ts'

const user = v.nullish(v.object({ displayName: text }))
const named = v.nullish(v.object({ name: text }))
const issue = v.object({
  key: v.string(),
  self: text,
  fields: v.object({ summary: text, assignee: user, priority: named, issuetype: named }),
})
const who = (found: v.InferOutput<typeof user>) => untrustedLine(found?.displayName ?? '') || 'Somebody'

/** The page of an issue, on the server that the API's address names. */
function pageOf({ key, self }: v.InferOutput<typeof issue>): string {
  const server = /^https?:\/\/[^/?#]+(?:\/(?!rest\/)[^/?#]+)*(?=\/rest\/)/.exec(self)?.[0]
  return server ? `${server}/browse/${encodeURIComponent(key)}` : ''
}
const item = (found: v.InferOutput<typeof issue>, titled: boolean) =>
  link(titled ? `${found.key} ${found.fields.summary}` : found.key, pageOf(found))
const topicOf = ({ key, fields }: v.InferOutput<typeof issue>) => topicName(`${key} ${fields.summary}`)

const change = v.object({ field: v.string(), fromString: text, toString: v.nullish(v.unknown()) })
/** Returns the new value. Jira names it like a method that every object has. */
const after = (found: object): string =>
  Object.hasOwn(found, 'toString') ? String((found as { toString: unknown }).toString ?? '') : ''

const updated = on(
  v.object({
    user,
    issue,
    changelog: v.nullish(v.object({ items: v.array(change) })),
    comment: v.nullish(v.object({ body: text })),
  }),
  ({ user, issue, changelog, comment }, { titled }) => {
    const changes = (changelog?.items ?? []).slice(0, 20).map((found) => {
      const [from, to] = [untrustedLine(found.fromString, 80), untrustedLine(after(found), 80)]
      const values =
        found.field === 'description' ? '' : from && to ? ` from ${from} to **${to}**` : to ? ` to **${to}**` : ''
      return `${untrustedLine(found.field)}${values}`
    })
    if (changes.length === 0 && !comment) return skip('The update lists no changes.')
    const what = changes.length ? `changed ${listed(changes)} of` : 'commented on'
    return { topic: topicOf(issue), content: `${who(user)} ${what} ${item(issue, titled)}.${quote(comment?.body)}` }
  },
)

const commented = (verb: string): Reader =>
  on(
    v.object({ user, issue, comment: v.object({ author: user, updateAuthor: user, body: text }) }),
    ({ user, issue, comment }, { titled }) => ({
      topic: topicOf(issue),
      content: `${who(user ?? comment.updateAuthor ?? comment.author)} ${verb} ${item(issue, titled)}.${quote(comment.body)}`,
    }),
  )

export const jira: Service = {
  name: 'jira',
  displayName: 'Jira',
  headers: ['x-atlassian-webhook-identifier'],
  deliveryHeader: 'x-atlassian-webhook-identifier',
  eventOf: (payload) => textAt(payload, 'webhookEvent'),
  events: {
    'jira:issue_created': on(v.object({ user, issue }), ({ user, issue }) => {
      const { summary, assignee, priority, issuetype } = issue.fields
      const details = [
        priority?.name ? `priority ${untrustedLine(priority.name)}` : '',
        assignee?.displayName ? `assigned to ${untrustedLine(assignee.displayName)}` : '',
      ].filter(Boolean)
      const type = untrustedLine(issuetype?.name ?? 'issue').toLowerCase()
      return {
        topic: topicOf(issue),
        content: `${who(user)} created the ${type} ${item(issue, false)}: **${untrustedLine(summary)}**${details.length ? `, ${details.join(', ')}` : ''}.`,
      }
    }),
    'jira:issue_updated': updated,
    'jira:issue_deleted': on(v.object({ user, issue }), ({ user, issue }, { titled }) => ({
      topic: topicOf(issue),
      content: `${who(user)} deleted ${item(issue, titled)}.`,
    })),
    comment_created: commented('commented on'),
    comment_updated: commented('edited a comment on'),
    comment_deleted: commented('deleted a comment on'),
  },
}
