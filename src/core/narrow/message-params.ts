import * as v from 'valibot'
import { MAX_MESSAGES_PER_FETCH } from '../kernel/base/limits.ts'
import { bool, described, id } from '../kernel/fields.ts'

export const viewParams = {
  apply_markdown: described(
    v.nullish(bool, true),
    'Whether to return content as HTML instead of the original Markdown.',
  ),
  client_gravatar: described(
    v.nullish(bool, true),
    'Whether to return null for avatar URLs that the client can compute itself.',
  ),
  allow_empty_topic_name: described(
    v.nullish(bool, false),
    'Whether to return empty topic names unchanged instead of as `realm_empty_topic_display_name`.',
  ),
}

/** Returns the parameters about how messages are shown. */
export const viewOptions = (requested: { [N in keyof typeof viewParams]: boolean }) => ({
  apply_markdown: requested.apply_markdown,
  client_gravatar: requested.client_gravatar,
  allow_empty_topic_name: requested.allow_empty_topic_name,
})

export const messageIds = v.pipe(
  v.array(id),
  v.maxLength(MAX_MESSAGES_PER_FETCH, `Too many messages requested (maximum ${MAX_MESSAGES_PER_FETCH}).`),
)
