import { effect } from '@preact/signals'
import { current } from '../../model/account/account.ts'
import { home } from '../../model/state/route.ts'

const addresses: Readonly<Record<string, string>> = { recent: '#recent', all_messages: '#narrow' }

/** The first view is the one of the account's settings. */
export function followHomeView(): void {
  effect(() => {
    const session = current.value
    if (!session.isReady.value) return
    home.value = addresses[session.read('settings').user_settings.web_home_view] ?? '#inbox'
  })
}
