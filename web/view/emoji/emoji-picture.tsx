import { fromCode } from '../../model/writing/from-code.ts'
import type { Emoji } from '../../model/writing/react.ts'
import { useSession } from '../session-context.ts'
import { withFlags } from './flags.ts'

interface EmojiPictureProps {
  emoji: Emoji
  /** Instead of the usual ones: with a skin tone. */
  characters?: string | undefined
}

/**
 * An emoji: a character that the system draws, an image of the organization's own, or its name if the reader prefers
 * names.
 */
export function EmojiPicture({ emoji: { emoji_name, emoji_code, reaction_type }, characters }: EmojiPictureProps) {
  const session = useSession()
  const custom = session.read('organization').realm_emoji[emoji_code]
  if (session.read('settings').user_settings.emojiset === 'text') return <span class="emoji-name">:{emoji_name}:</span>
  if (reaction_type === 'unicode_emoji')
    return <span class="emoji">{withFlags(characters ?? fromCode(emoji_code))}</span>
  if (!custom) return <span>:{emoji_name}:</span>
  return <img class="emoji" src={custom.source_url} alt="" width="18" height="18" />
}
