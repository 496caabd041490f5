import { useSignalEffect } from '@preact/signals'
import type { Session } from '../../model/state/session.ts'

const schemes: Readonly<Record<number, string>> = { 2: 'dark', 3: 'light' }
const STORED = 'color-scheme'

/** The size of text and the height of lines, in the account's settings. */
export function useTextSize(session: Session): void {
  useSignalEffect(() => {
    if (!session.isReady.value) return
    const { web_font_size_px, web_line_height_percent } = session.read('settings').user_settings
    const { style } = document.documentElement
    // Nothing where nothing was chosen: then it is the browser's size, which its user may have chosen.
    style.fontSize = web_font_size_px === 16 ? '' : `${web_font_size_px}px`
    style.setProperty(
      '--content-line-height',
      web_line_height_percent === 140 ? '' : String(web_line_height_percent / 100),
    )
  })
}

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
