import type { Message } from '../../../src/client/index.ts'
import type { Session } from '../../model/state/session.ts'
import { toggleReaction } from '../../model/writing/react.ts'
import { texts } from '../../texts/texts.ts'
import { EmojiPicker } from '../emoji/emoji-picker.tsx'
import { openPopover } from '../parts/dialog.tsx'
import { attempt } from '../parts/notices.tsx'

/** Asks for an emoji, and adds it to a message. */
export const pickReaction = (session: Session, message: Message): void =>
  openPopover(
    texts.actions.addReaction,
    <EmojiPicker session={session} onPick={(emoji) => attempt(() => toggleReaction(session, message, emoji))} />,
  )
