import { useEffect } from 'preact/hooks'
import type { Message } from '../../../src/client/index.ts'
import type { FeedView } from '../../model/reading/feed-view.ts'
import type { Session } from '../../model/state/session.ts'
import { toggle } from '../../model/state/toggle.ts'
import { texts } from '../../texts/texts.ts'
import { Icon } from '../parts/icon.tsx'
import { IconButton } from '../parts/icon-button.tsx'
import { Menu } from '../parts/menu.tsx'
import { attempt } from '../parts/notices.tsx'
import { useSession } from '../session-context.ts'
import { loadMenus, menus, prepareMenus } from './menus.ts'

/** What can be done with a message; shown where the pointer is, and for the selected one. */
export function MessageActions({ message, feed }: { message: Message; feed: FeedView }) {
  const session = useSession()
  const isStarred = message.flags.includes('starred')
  // Loaded before it is opened, if there is time.
  useEffect(prepareMenus, [])
  return (
    <div class="actions" role="toolbar" aria-label={texts.actions.toolbar}>
      <IconButton
        icon="smile"
        label={texts.actions.addReaction}
        title={texts.actions.reactTitle}
        onClick={() => attempt(() => react(session, message))}
      />
      <IconButton
        icon="quote"
        label={texts.actions.quote}
        title={texts.actions.quoteTitle}
        onClick={() => attempt(() => quote(session, message))}
      />
      <IconButton
        icon="star"
        label={texts.actions.star}
        title={texts.actions.starTitle}
        filled={isStarred}
        aria-pressed={isStarred}
        onClick={() => attempt(() => star(session, message))}
      />
      <Menu
        label={texts.actions.more}
        ready={async () => {
          await loadMenus()
          await menus().preparePins(session, message)
        }}
        items={() => menus().messageItems(session, message, feed)}
      >
        <Icon name="more" />
      </Menu>
    </div>
  )
}

/** Begins a reply, with what is loaded on demand. */
export const replyBy = (way: 'mention' | 'quote') => async (session: Session, message: Message) => {
  await loadMenus()
  await menus()[way](session, message)
}
export const quote = replyBy('quote')

export async function react(session: Session, message: Message): Promise<void> {
  await loadMenus()
  menus().pickReaction(session, message)
}

export const star = (session: Session, { id }: Message) =>
  toggle(
    session,
    `star ${id}`,
    () => session.messages.get(id)?.flags.includes('starred') ?? false,
    (isOn) => session.client.updateFlags({ messages: [id], flag: 'starred', op: isOn ? 'add' : 'remove' }),
  )
