import type { Message } from '../../../src/client/index.ts'
import { nameOf } from '../../model/reading/people.ts'
import { language, namesList } from '../../model/state/language.ts'
import { loadPart } from '../../model/state/load-part.ts'
import { isReadOnly } from '../../model/state/spectator.ts'
import { emojiLabel, loadEmojiNames } from '../../model/writing/emoji-names.ts'
import { groupReactions, toggleReaction } from '../../model/writing/react.ts'
import { texts } from '../../texts/texts.ts'
import { EmojiPicture } from '../emoji/emoji-picture.tsx'
import { attempt } from '../parts/notices.tsx'
import { useSession } from '../session-context.ts'

/** Up to so many reactions to a message stand there with names, where the account's setting says so. */
const FEW = 3

/** What people answered with one picture, each with how many they are. */
export function Reactions({ message }: { message: Message }) {
  const session = useSession()
  if (message.reactions.length === 0) return null
  loadEmojiNames()
  const own = session.state.user_id
  const { display_emoji_reaction_users } = session.read('settings').user_settings
  const showWho = () =>
    attempt(async () => (await loadPart(() => import('../content/loaded-content.ts'))).openReactions(session, message))
  const withNames = display_emoji_reaction_users && message.reactions.length <= FEW
  return (
    <ul class="reactions" aria-label={texts.message.reactions}>
      {groupReactions(message.reactions).map(({ emoji, user_ids }) => {
        const isOwn = user_ids.includes(own)
        const names = namesList(user_ids.map((id) => (id === own ? texts.message.you : nameOf(session, id))))
        return (
          <li key={`${emoji.reaction_type}${emoji.emoji_code}`}>
            <button
              type="button"
              aria-pressed={isOwn}
              disabled={isReadOnly(session)}
              aria-label={texts.common.labeled(emojiLabel(emoji), names)}
              title={texts.common.labeled(names, language === 'en' ? `:${emoji.emoji_name}:` : emojiLabel(emoji))}
              onClick={() => attempt(() => toggleReaction(session, message, emoji))}
              onContextMenu={(event) => {
                // A long press on a touch screen, where no title appears.
                event.preventDefault()
                showWho()
              }}
            >
              <EmojiPicture emoji={emoji} /> {withNames ? names : user_ids.length}
            </button>
          </li>
        )
      })}
    </ul>
  )
}
