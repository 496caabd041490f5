import { useSignalEffect } from '@preact/signals'
import type { Session } from '../../model/state/session.ts'

const schemes: Readonly<Record<number, string>> = { 2: 'dark', 3: 'light' }
const STORED = 'color-scheme'

/** Light, dark, or as the system has it: the account's setting, kept by the browser for the next start. */
export function useTheme(session: Session): void {
  useSignalEffect(() => {
    const scheme = session.isReady.value
      ? (schemes[session.read('settings').user_settings.color_scheme] ?? '')
      : (localStorage.getItem(STORED) ?? '')
    localStorage.setItem(STORED, scheme)
    document.documentElement.dataset.theme = scheme
  })
}
