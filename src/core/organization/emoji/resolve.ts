import * as v from 'valibot'
import type { Caller } from '../../kernel/context.ts'
import { badRequest } from '../../kernel/errors.ts'
import { text } from '../../kernel/fields.ts'
import { emojiCode, emojiNames, extraEmoji } from '../../markup/emoji/catalogue.ts'
import { customEmojiById, customEmojiByName } from './custom-emoji.ts'
import { emojiKey } from './names.ts'

/** Namespaces of emoji codes. */
export const reactionTypes = ['unicode_emoji', 'realm_emoji', 'zulip_extra_emoji'] as const
export type ReactionType = (typeof reactionTypes)[number]

/** The specification spells the third one differently; it is stored and sent as clients know it. */
const aliases: Readonly<Record<string, ReactionType>> = {
  ...(Object.fromEntries(reactionTypes.map((type) => [type, type])) as Record<ReactionType, ReactionType>),
  service_extra_emoji: 'zulip_extra_emoji',
}

export const reactionType = v.pipe(
  text,
  v.check((type) => Object.hasOwn(aliases, type), 'Invalid emoji type.'),
  v.transform((type) => aliases[type]!),
)

/** An emoji as reactions and statuses store it. */
export interface Emoji {
  emoji_name: string
  emoji_code: string
  reaction_type: ReactionType
}

export interface EmojiRequest {
  emoji_name: string
  emoji_code?: string | null | undefined
  reaction_type?: ReactionType | null | undefined
}

/** The emoji of this name: custom ones come first, since an organization may override a Unicode one. */
export async function namedEmoji(
  caller: Caller,
  emoji_name: string,
  requested?: ReactionType | null,
): Promise<Emoji | undefined> {
  const name = emojiKey(emoji_name)
  const codes: Record<ReactionType, string | undefined> = {
    realm_emoji: (await customEmojiByName(caller)).get(name)?.id,
    zulip_extra_emoji: name === extraEmoji.name ? extraEmoji.code : undefined,
    unicode_emoji: emojiCode(name),
  }
  for (const reaction_type of requested ? [requested] : (Object.keys(codes) as ReactionType[])) {
    const emoji_code = codes[reaction_type]
    if (emoji_code !== undefined) return { emoji_name: name, emoji_code, reaction_type }
  }
  return undefined
}

export const noEmojiNamed = (name: string) => badRequest(`Emoji '${name}' does not exist`)

/** Returns an emoji for use. Throws unless it is active, and unless name, code and type agree. */
export async function resolveEmoji(caller: Caller, requested: EmojiRequest): Promise<Emoji> {
  const named = await namedEmoji(caller, requested.emoji_name, requested.reaction_type)
  if (requested.emoji_code == null) {
    if (!named) throw noEmojiNamed(requested.emoji_name)
    return named
  }
  if (named?.emoji_code === requested.emoji_code) return named
  const emoji_name = emojiKey(requested.emoji_name)
  const { emoji_code } = requested
  const reaction_type = requested.reaction_type ?? (await typeOfCode(caller, emoji_code))
  switch (reaction_type) {
    case 'unicode_emoji':
      if (emojiNames(emoji_code).length === 0) throw badRequest('Invalid emoji code.')
      if (!emojiNames(emoji_code).includes(emoji_name)) throw badRequest('Invalid emoji name.')
      break
    case 'realm_emoji': {
      const custom = (await customEmojiById(caller)).get(emoji_code)
      if (!custom) throw badRequest('Invalid custom emoji.')
      if (custom.name !== emoji_name) throw badRequest('Invalid custom emoji name.')
      if (custom.is_deactivated) throw badRequest('This custom emoji has been deactivated.')
      break
    }
    case 'zulip_extra_emoji':
      if (emoji_code !== extraEmoji.code) throw badRequest('Invalid emoji code.')
      if (emoji_name !== extraEmoji.name) throw badRequest('Invalid emoji name.')
      break
    default:
      throw badRequest('Invalid emoji code.')
  }
  return { emoji_name, emoji_code, reaction_type }
}

/** The namespace that has this code, Unicode first. Codes of deactivated emoji count: reactions may still have them. */
export async function typeOfCode(
  caller: Caller,
  code: string,
  requested?: ReactionType | null,
): Promise<ReactionType | undefined> {
  const has: Record<ReactionType, boolean> = {
    unicode_emoji: emojiNames(code).length > 0,
    realm_emoji: (await customEmojiById(caller)).has(code),
    zulip_extra_emoji: code === extraEmoji.code,
  }
  return reactionTypes.find((type) => has[type] && (!requested || requested === type))
}
