import type { Message } from '../../../src/client/index.ts'
import { nameOf } from '../../model/reading/people.ts'
import type { Session } from '../../model/state/session.ts'
import { emojiLabel, loadEmojiNames } from '../../model/writing/emoji-names.ts'
import { groupReactions } from '../../model/writing/react.ts'
import { texts } from '../../texts/texts.ts'
import { openProfile } from '../content/open-profile.tsx'
import { EmojiPicture } from '../emoji/emoji-picture.tsx'
import { Avatar } from '../parts/avatar.tsx'
import { openPopover } from '../parts/dialog.tsx'
import { SessionProvider, useSession } from '../session-context.ts'

/** Shows who reacted to a message, by emoji. */
export const openReactions = (session: Session, { id }: Message): void =>
  openPopover(
    texts.message.reactions,
    <SessionProvider value={session}>
      <ReactionList message_id={id} />
    </SessionProvider>,
  )

function ReactionList({ message_id }: { message_id: number }) {
  const session = useSession()
  const { user_id: own } = session.state
  loadEmojiNames()
  const { reactions } = session.messages.get(message_id) ?? { reactions: [] }
  return (
    <div class="reaction-list">
      {groupReactions(reactions).map(({ emoji, user_ids }) => (
        <section key={emoji.reaction_type + emoji.emoji_code}>
          <h3>
            <EmojiPicture emoji={emoji} /> {emojiLabel(emoji)} <span class="quiet small">{user_ids.length}</span>
          </h3>
          <ul class="readers">
            {user_ids.map((user_id) => (
              <li key={user_id}>
                <button type="button" class="row" onClick={() => openProfile(session, user_id)}>
                  <Avatar user_id={user_id} size={24} />
                  <span class="name">{user_id === own ? texts.message.you : nameOf(session, user_id)}</span>
                </button>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  )
}
