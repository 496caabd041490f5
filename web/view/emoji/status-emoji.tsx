import { statusEmoji, statusOf } from '../../model/reading/people.ts'
import { emojiLabel, loadEmojiNames } from '../../model/writing/emoji-names.ts'
import { useSession } from '../session-context.ts'
import { EmojiPicture } from './emoji-picture.tsx'

/** The emoji of a user's status, beside their name. */
export function StatusEmoji({ user_id }: { user_id: number }) {
  const status = statusOf(useSession(), user_id)
  const emoji = statusEmoji(status)
  if (!emoji) return null
  loadEmojiNames()
  const name = emojiLabel(emoji)
  return (
    <span class="status-emoji" role="img" aria-label={name} title={status?.status_text ?? name}>
      <EmojiPicture emoji={emoji} />
    </span>
  )
}
