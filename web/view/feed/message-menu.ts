import type { Message } from '../../../src/client/index.ts'
import { addressOf, conversationOf } from '../../model/reading/conversations.ts'
import type { FeedView } from '../../model/reading/feed-view.ts'
import { loadPins, mayPin } from '../../model/reading/load-pins.ts'
import { markUnreadFrom } from '../../model/reading/mark-read.ts'
import { isPinned, knownPins } from '../../model/reading/pins.ts'
import { loadPart } from '../../model/state/load-part.ts'
import { go } from '../../model/state/route.ts'
import type { Session } from '../../model/state/session.ts'
import { composeTo, restore } from '../../model/writing/compose.ts'
import { deletionTime } from '../../model/writing/deletion-time.ts'
import { beginEdit } from '../../model/writing/edit.ts'
import { hasHistory, mayDelete, mayEdit, mayMove } from '../../model/writing/rights.ts'
import { pieceTexts } from '../../texts/piece-texts.ts'
import { texts } from '../../texts/texts.ts'
import { copyLink, copyText } from '../parts/copy-text.ts'
import { duration } from '../parts/durations.ts'
import type { MenuItem } from '../parts/menu.tsx'
import { notify } from '../parts/notices.tsx'
import { quoted, textOf } from './quote.ts'
import { hasPreview, removePreviews } from './remove-preview.ts'

const pages = () => loadPart(() => import('../settings/loaded-pages.ts'))

/** The items of a message's menu. */
export function messageItems(session: Session, message: Message, feed: FeedView): MenuItem[] {
  const { state } = session
  const conversation = conversationOf(message, state.user_id)
  const items: (MenuItem | false)[] = [
    { label: pieceTexts.messageMenu.reply, hint: 'r', run: () => composeTo(session, conversation) },
    mayEdit(session, message) && {
      label: pieceTexts.messageMenu.edit,
      hint: 'e',
      run: () => beginEdit(session, message),
    },
    message.type === 'stream' &&
      mayMove(session, message) && {
        label: pieceTexts.messageMenu.move,
        hint: 'm',
        run: async () => (await pages()).openMove(session, message),
      },
    hasPreview(message) &&
      mayEdit(session, message) && {
        label: pieceTexts.messageMenu.removePreview,
        run: () => removePreviews(session, message),
      },
    mayPin(session, message) && pinItem(session, message),
    { label: pieceTexts.messageMenu.forward, run: () => forward(session, message) },
    feed.conversation === undefined && {
      label: pieceTexts.messageMenu.openConversation,
      hint: 's',
      run: () => go(addressOf(conversation, state, message.id)),
    },
    {
      label: pieceTexts.messageMenu.markUnread,
      hint: 'U',
      run: () => markUnreadFrom(session, feed.narrow, message.id),
    },
    { label: texts.actions.copyLink, run: () => copyLink(addressOf(conversation, state, message.id)) },
    {
      label: pieceTexts.messageMenu.copyText,
      run: async () => {
        await copyText(await textOf(session, message))
        notify(pieceTexts.messageMenu.textCopied)
      },
    },
    {
      label: pieceTexts.messageMenu.remind,
      run: async () => (await pages()).openReminder(session, message),
    },
    state.realm_enable_read_receipts && {
      label: pieceTexts.messageMenu.readers,
      run: async () => (await pages()).openReaders(session, message.id),
    },
    hasHistory(session, message) && {
      label: pieceTexts.messageMenu.history,
      hint: 'H',
      run: async () => (await pages()).openHistory(session, message.id),
    },
    state.realm_moderation_request_channel_id !== -1 &&
      message.sender_id !== state.user_id && {
        label: pieceTexts.messageMenu.report,
        run: async () => (await pages()).openReport(session, message.id),
      },
    mayDelete(session, message) && {
      label: pieceTexts.messageMenu.delete,
      ...timeLeft(session, message),
      dangerous: true,
      run: async () => (await pages()).askToDelete(session, message),
    },
  ]
  return items.filter((item): item is MenuItem => item !== false)
}

/** How long the author can still delete it. */
function timeLeft(session: Session, message: Message): Pick<MenuItem, 'detail'> {
  const left = deletionTime(session, message)
  return left === undefined ? {} : { detail: duration(left) }
}

/** Pins or unpins it. `preparePins` has found out which. */
function pinItem(session: Session, message: Message): MenuItem {
  const { client } = session
  const of = { message_id: message.id }
  return isPinned(session, message)
    ? { label: texts.actions.unpin, run: () => client.unpinMessage(of) }
    : { label: pieceTexts.messageMenu.pin, run: () => client.pinMessage(of) }
}

/** Loads what a message's menu depends on, where the header hasn't done so. */
export async function preparePins(session: Session, message: Message): Promise<void> {
  if (mayPin(session, message) && !knownPins(session).peek().has(message.stream_id))
    await loadPins(session, message.stream_id)
}

/** Begins a message to others with this one in it. */
async function forward(session: Session, message: Message): Promise<void> {
  const text = await textOf(session, message)
  composeTo(session, { type: 'direct', user_ids: [] })
  restore(session, quoted(session, message, text))
}
