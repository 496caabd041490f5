import { useEffect } from 'preact/hooks'
import { nextUnread } from '../../model/navigation/inbox.ts'
import { narrowOf } from '../../model/reading/conversations.ts'
import { keepsUnread } from '../../model/reading/read-marks.ts'
import { loadPart } from '../../model/state/load-part.ts'
import { go, goToNarrow, home } from '../../model/state/route.ts'
import type { Session } from '../../model/state/session.ts'
import { isReadOnly } from '../../model/state/spectator.ts'
import { composerOf, composeTo } from '../../model/writing/compose.ts'
import { firstStream } from '../../model/writing/rights.ts'
import { chooseChannel } from '../compose/choose-channel.tsx'
import { readAll } from '../feed/read-all.ts'
import { toggleMute } from '../feed/toggle-mute.ts'
import { openJump } from '../palette/jump.tsx'
import { currentFeed, selectBy, selected } from '../parts/current-feed.ts'
import { isBox, isCommand, isComposed, isOwnKey, keyName } from '../parts/key-name.ts'
import { layoutOf } from '../parts/layout.ts'
import { attempt } from '../parts/notices.tsx'
import { SEARCH_BOX } from '../search/search-box.tsx'
import { type Key, messageKeys } from './message-keys.ts'

const toUnread =
  (kind?: 'direct'): Key =>
  (session) => {
    const next = nextUnread(session, currentFeed(session).value?.conversation, kind)
    if (next) goToNarrow(narrowOf(next))
    else go(home.value)
  }

const to =
  (address: string): Key =>
  () =>
    go(address)

const select =
  (steps: number): Key =>
  (session) =>
    selectBy(session, steps)

/** The keyboard shortcuts of a feed. */
const feedKeys: Readonly<Record<string, Key>> = {
  ...messageKeys,
  j: select(1),
  ArrowDown: select(1),
  k: select(-1),
  ArrowUp: select(-1),
  End: (session) => void currentFeed(session).value?.toNewest(),
  A: (session) => {
    const feed = currentFeed(session).value
    if (feed) attempt(() => readAll(session, feed.narrow))
  },
  M: (session) => attempt(() => toggleMute(session)),
}

/** In a list, before any of its rows has the focus. */
const toFirstRow: Key = () => document.querySelector<HTMLElement>('main a.walked')?.focus()
const listKeys: Readonly<Record<string, Key>> = { j: toFirstRow, ArrowDown: toFirstRow }

/** And everywhere, outside of boxes. */
const keys: Readonly<Record<string, Key>> = {
  n: toUnread(),
  p: toUnread('direct'),
  c: (session) => {
    const { focusRequests, target } = composerOf(session)
    if (target.value) focusRequests.value += 1
    else if (firstStream(session.state)) chooseChannel(session)
  },
  x: (session) => composeTo(session, { type: 'direct', user_ids: [] }),
  '/': () => {
    const box = document.getElementById(SEARCH_BOX)
    if (box?.offsetParent) box.focus()
    else go('#search')
  },
  '?': (session) =>
    attempt(async () => (await loadPart(() => import('../settings/loaded-pages.ts'))).openHelp(session)),
  I: to('#inbox'),
  t: to('#recent'),
  a: to('#narrow'),
  P: to('#narrow/is/dm'),
  d: to('#drafts'),
  w: (session) => layoutOf(session).togglePeople(),
  '[': (session) => layoutOf(session).toggleList(),
  Escape: (session) => {
    selected(session).value = undefined
    keepsUnread(session).value = false
    const { drawer, closeDrawer } = layoutOf(session)
    if (drawer.value) closeDrawer()
    else if (session.state.user_settings.web_escape_navigates_to_home_view && !isReadOnly(session)) go(home.value)
  },
}

/** Shortcuts that need no account. */
const readingKeys = new Set(['j', 'ArrowDown', 'k', 'ArrowUp', 'v', '/', '[', 'End', 'Escape'])

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
      const name = keyName(event)
      const readOnly = isReadOnly(session)
      if ((event.ctrlKey || event.metaKey) && name.toLowerCase() === 'k' && !readOnly) {
        event.preventDefault()
        // There is one dialog at a time, and something may be written in it.
        if (!document.querySelector('dialog[open]')) openJump(session)
        return
      }
      const from = event.target as HTMLElement
      if (event.defaultPrevented || isComposed(event) || isCommand(event) || isBox(from) || isOwnKey(from, name)) return
      if (document.querySelector('dialog[open]') || (readOnly && !readingKeys.has(name))) return
      const sequence = performance.now() - afterG < SEQUENCE_MS ? places[name] : undefined
      afterG = name === 'g' ? performance.now() : Number.NEGATIVE_INFINITY
      const here = currentFeed(session).peek() ? feedKeys : listKeys
      const key = sequence ? to(sequence) : (here[name] ?? keys[name])
      if (!key) return
      event.preventDefault()
      key(session)
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [session])
}
