import { effect } from '@preact/signals'
import { current } from '../../model/account/account.ts'
import { followSettings } from '../../model/state/language.ts'
import { isReadOnly } from '../../model/state/spectator.ts'

/** Follows the account's language. Another one loads the page again. */
export function followLanguage(): void {
  effect(() => {
    const session = current.value
    if (!session.isReady.value || isReadOnly(session)) return
    const { default_language: own } = session.read('settings').user_settings
    const organization = session.read('organization').realm_default_language
    followSettings({ own, organization }, { isStored: session.connection.value.status !== 'online' })
  })
}
