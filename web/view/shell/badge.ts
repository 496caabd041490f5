import { useSignalEffect } from '@preact/signals'
import { unreadOf } from '../../model/reading/unread.ts'
import type { Session } from '../../model/state/session.ts'

/** What the account's setting counts: all, what concerns one, or nothing. */
const counted: Readonly<Record<number, 'count' | 'own' | 'nothing'>> = { 1: 'count', 2: 'own', 3: 'own', 4: 'nothing' }

/** How much is unread, in the title of the page, in its icon and in that of the installed app. */
export function useBadge(session: Session): void {
  useSignalEffect(() => {
    const { count, direct, mentions } = unreadOf(session).value
    const { realm_name } = session.read('organization')
    const what = counted[session.read('settings').user_settings.desktop_icon_count_display] ?? 'count'
    const shown = { count, own: direct + mentions, nothing: 0 }[what]
    document.title = `${count > 0 ? `(${count}) ` : ''}${realm_name}`
    const icon = document.querySelector<HTMLLinkElement>('link[rel=icon]')
    if (icon) icon.href = shown > 0 ? '/favicon-unread.svg' : '/favicon.svg'
    if ('setAppBadge' in navigator) void navigator.setAppBadge(shown).catch(() => {})
  })
}
