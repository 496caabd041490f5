import type { Message } from '../../../src/client/index.ts'
import { nameOf } from '../../model/reading/people.ts'
import { groupReactions, toggleReaction } from '../../model/writing/react.ts'
import { fromCode } from '../content/enliven.ts'
import { attempt } from '../parts/notices.tsx'
import { useSession } from '../session-context.ts'

/** What people answered with one picture, each with how many they are. */
export function Reactions({ message }: { message: Message }) {
  const session = useSession()
  if (message.reactions.length === 0) return null
  const own = session.state.user_id
  return (
    <ul class="reactions" aria-label="Reactions">
      {groupReactions(message.reactions).map(({ emoji, user_ids }) => {
        const isOwn = user_ids.includes(own)
        const names = user_ids.map((id) => (id === own ? 'You' : nameOf(session, id))).join(', ')
        return (
          <li key={`${emoji.reaction_type}${emoji.emoji_code}`}>
            <button
              type="button"
              aria-pressed={isOwn}
              aria-label={`${emoji.emoji_name.replaceAll('_', ' ')}: ${names}`}
              title={`${names}: :${emoji.emoji_name}:`}
              onClick={() => attempt(() => toggleReaction(session, message, emoji))}
            >
              <EmojiPicture emoji={emoji} /> {user_ids.length}
            </button>
          </li>
        )
      })}
    </ul>
  )
}

function EmojiPicture({ emoji }: { emoji: { emoji_name: string; emoji_code: string; reaction_type: string } }) {
  const custom = useSession().read('organization').realm_emoji[emoji.emoji_code]
  if (emoji.reaction_type === 'unicode_emoji') return <span class="emoji">{fromCode(emoji.emoji_code)}</span>
  const source = custom?.source_url ?? '/static/zulip-extra-emoji.svg'
  return custom ? <img class="emoji" src={source} alt="" width="18" height="18" /> : <span>:{emoji.emoji_name}:</span>
}
