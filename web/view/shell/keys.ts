import { useEffect } from 'preact/hooks'
import { nextUnread } from '../../model/finding/inbox.ts'
import { conversationOf, narrowOf } from '../../model/reading/conversations.ts'
import { keepsUnread, markUnreadFrom } from '../../model/reading/read-marks.ts'
import { go, goToNarrow, home } from '../../model/state/route.ts'
import type { Session } from '../../model/state/session.ts'
import { composeTo, focusRequests, target } from '../../model/writing/compose.ts'
import { beginEdit, mayEdit } from '../../model/writing/edit.ts'
import { firstStream } from '../../model/writing/may-write.ts'
import { markAllRead } from '../feed/conversation-actions.ts'
import { currentFeed, messageElement, selectBy, selected } from '../feed/current-feed.ts'
import { quote, react, star } from '../feed/message-actions.tsx'
import { attempt } from '../parts/notices.tsx'
import { openProfile } from '../parts/profile-card.tsx'
import { openHelp } from './help.tsx'
import { openJump } from './jump.tsx'
import { layout } from './layout.ts'
import { SEARCH_BOX } from './search-box.tsx'

type Key = (session: Session) => void

const message = (session: Session) => (selected.value === undefined ? undefined : session.messages.get(selected.value))

/** Does something with the selected message, or the last one. */
const withMessage =
  (work: (session: Session, found: NonNullable<ReturnType<typeof message>>) => unknown): Key =>
  (session) => {
    if (!message(session)) selectBy(0)
    const found = message(session)
    if (found) attempt(async () => void (await work(session, found)))
  }

const toUnread =
  (kind?: 'direct'): Key =>
  (session) => {
    const next = nextUnread(session, currentFeed.value?.conversation, kind)
    if (next) goToNarrow(narrowOf(next))
    else go(home.value)
  }

/** What the keys do, outside of boxes. */
const keys: Readonly<Record<string, Key>> = {
  j: () => selectBy(1),
  ArrowDown: () => selectBy(1),
  k: () => selectBy(-1),
  ArrowUp: () => selectBy(-1),
  n: toUnread(),
  p: toUnread('direct'),
  r: withMessage((session, found) => composeTo(session, conversationOf(found, session.state.user_id))),
  '>': withMessage(quote),
  c: (session) => {
    const stream = firstStream(session.state)
    if (target.value) focusRequests.value += 1
    else if (stream) composeTo(session, { type: 'stream', stream_id: stream.stream_id, topic: '' })
  },
  x: (session) => composeTo(session, { type: 'direct', user_ids: [] }),
  e: withMessage((session, found) => mayEdit(session, found) && beginEdit(session, found.id)),
  '+': withMessage(react),
  '*': withMessage(star),
  U: withMessage((session, { id }) => {
    const ids = currentFeed.value?.rows.value.flatMap((row) => (row.kind === 'message' ? [row.message.id] : [])) ?? []
    return markUnreadFrom(session, ids, id)
  }),
  A: (session) => {
    const feed = currentFeed.value
    if (feed) attempt(() => markAllRead(session, feed))
  },
  v: withMessage((_session, { id }) =>
    messageElement(id)?.querySelector<HTMLElement>('.message_inline_image a')?.click(),
  ),
  u: withMessage((session, { sender_id }) => openProfile(session, sender_id)),
  '/': () => {
    const box = document.getElementById(SEARCH_BOX)
    if (box?.offsetParent) box.focus()
    else go('#search')
  },
  '?': openHelp,
  w: () => layout.togglePeople(),
  '[': () => layout.toggleList(),
  End: (_session) => void currentFeed.value?.toNewest(),
  Escape: (session) => {
    selected.value = undefined
    keepsUnread.value = false
    if (layout.drawer.value) layout.closeDrawer()
    else if (session.state.user_settings.web_escape_navigates_to_home_view) go(home.value)
  },
}

/** After g. */
const places: Readonly<Record<string, string>> = {
  i: '#inbox',
  r: '#recent',
  s: '#narrow/is/starred',
  d: '#drafts',
  m: '#narrow/is/mentioned',
  a: '#narrow',
}

const SEQUENCE_MS = 1500

export function useKeys(session: Session): void {
  useEffect(() => {
    let afterG = Number.NEGATIVE_INFINITY
    const onKeyDown = (event: KeyboardEvent) => {
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k') {
        event.preventDefault()
        openJump()
        return
      }
      const from = event.target as HTMLElement
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isBox(from)) return
      if (document.querySelector('dialog[open]')) return
      const sequence = performance.now() - afterG < SEQUENCE_MS ? places[event.key] : undefined
      afterG = event.key === 'g' ? performance.now() : Number.NEGATIVE_INFINITY
      const key = sequence ? () => go(sequence) : keys[event.key]
      if (!key || (isButton(from) && /^(Enter| )$/.test(event.key))) return
      event.preventDefault()
      key(session)
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [session])
}

const isBox = (element: HTMLElement): boolean =>
  element.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(element.tagName)
const isButton = (element: HTMLElement): boolean => /^(BUTTON|A)$/.test(element.tagName)
