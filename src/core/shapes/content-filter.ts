import * as v from 'valibot'
import { id } from './values.ts'

export const filterKinds = ['word', 'domain', 'pattern'] as const
export const filterActions = ['refuse', 'hold', 'flag'] as const

/** A word, a link or a pattern that the organization doesn't want, and what happens to messages that have it. */
export const contentFilterShape = v.strictObject({
  id,
  /** `word` matches whole words, `domain` links to a domain and its subdomains, `pattern` is an RE2 regular expression. */
  kind: v.picklist(filterKinds),
  pattern: v.string(),
  /** `refuse` rejects the message, `hold` lets a moderator decide, `flag` sends it and reports it to the moderators. */
  action: v.picklist(filterActions),
  /** The sentence that the writer of a rejected message reads; empty for the server's own. */
  message: v.string(),
})
export type ContentFilterView = v.InferOutput<typeof contentFilterShape>
