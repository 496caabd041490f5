import { useSignalEffect } from '@preact/signals'
import { home } from '../../model/state/route.ts'
import type { Session } from '../../model/state/session.ts'

const addresses: Readonly<Record<string, string>> = { recent_topics: '#recent', all_messages: '#narrow' }

/** The first view is the one of the account's settings. */
export function useHomeView(session: Session): void {
  useSignalEffect(() => {
    if (!session.isReady.value) return
    home.value = addresses[session.read('settings').user_settings.web_home_view] ?? '#inbox'
  })
}
