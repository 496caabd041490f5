import * as v from 'valibot'
import { id } from './values.ts'

export const reactionTypes = ['unicode_emoji', 'realm_emoji', 'zulip_extra_emoji'] as const

/** The namespace of an emoji's code. */
export const reactionType = v.picklist(reactionTypes)

/** An emoji in reactions and statuses. */
export const emojiEntries = {
  emoji_name: v.string(),
  /** Depending on `reaction_type`, a Unicode code point, the id of a custom emoji, or the name of an extra one. */
  emoji_code: v.string(),
  reaction_type: reactionType,
}

/** A custom emoji of the organization, deactivated or not. */
export const customEmojiShape = v.strictObject({
  id: v.string(),
  name: v.string(),
  source_url: v.string(),
  /** The first frame of an animated emoji. */
  still_url: v.nullable(v.string()),
  deactivated: v.boolean(),
  author_id: v.nullable(id),
})
export type CustomEmojiView = v.InferOutput<typeof customEmojiShape>

/** Custom emoji by id. */
export const customEmojiById = v.record(v.string(), customEmojiShape)
