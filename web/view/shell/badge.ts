import { useSignalEffect } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { viewTitle } from '../../model/navigation/view-title.ts'
import { type Unread, unreadOf } from '../../model/reading/unread.ts'
import { isolated } from '../../model/state/isolated.ts'
import { place } from '../../model/state/route.ts'
import type { Session } from '../../model/state/session.ts'
import { texts } from '../../texts/texts.ts'

/** What the account's setting counts: everything, messages that concern the reader, or nothing. */
const counted: Readonly<Record<number, (unread: Unread) => number>> = {
  1: ({ count }) => count,
  2: ({ direct, mentions, followed }) => direct + mentions + followed,
  3: ({ direct, mentions }) => direct + mentions,
  4: () => 0,
}

/** Shows the number of unread messages in the page's title, its icon and the installed app's icon. */
export function useBadge(session: Session): void {
  useSignalEffect(() => {
    const unread = unreadOf(session).value
    const { count } = unread
    const { realm_name } = session.read('organization')
    const shown = counted[session.read('settings').user_settings.desktop_icon_count_display]?.(unread) ?? count
    document.title = `${count > 0 ? `(${count}) ` : ''}${viewTitle(session, place.value)} · ${isolated(realm_name)}`
    showInIcons(shown)
  })
  // Signed-out readers don't see how much is unread, or where.
  useEffect(
    () => () => {
      document.title = texts.shell.untitled
      showInIcons(0)
    },
    [],
  )
}

function showInIcons(count: number): void {
  const icon = document.querySelector<HTMLLinkElement>('link[rel=icon]')
  if (icon) icon.href = count > 0 ? 'favicon-unread.svg' : 'favicon.svg'
  if ('setAppBadge' in navigator) void navigator.setAppBadge(count).catch(() => {})
}
