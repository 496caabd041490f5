import { useSignalEffect } from '@preact/signals'
import { current } from '../../model/state/account.ts'

const schemes: Readonly<Record<number, string>> = { 2: 'dark', 3: 'light' }
const STORED = 'color-scheme'

/** At this size and height of lines rows and gaps are as the stylesheet has them. */
const USUAL = { size: 16, height: 140 }

/** How large and how dense the page is, in the account's settings: text, and with the height of lines rows and gaps. */
export function useDensity(): void {
  useSignalEffect(() => {
    const session = current.value
    if (!session.isReady.value) return
    const settings = session.read('settings').user_settings
    const { web_font_size_px: size, web_line_height_percent: height } = settings
    const { style, dataset } = document.documentElement
    // Nothing where nothing was chosen: then it is the browser's size, which its user may have chosen.
    style.fontSize = size === USUAL.size ? '' : `${size}px`
    style.setProperty('--line-height', String(height / 100))
    style.setProperty('--density', String(Math.max(0.25, (height - 100) / (USUAL.height - 100))))
    dataset.width = settings.fluid_layout_width ? 'all' : ''
    dataset.contrast = settings.high_contrast_mode ? 'high' : ''
  })
}

/** Light, dark, or as the system has it: the account's setting, kept by the browser for the next start. */
export function useTheme(): void {
  useSignalEffect(() => {
    const session = current.value
    const scheme = session.isReady.value
      ? (schemes[session.read('settings').user_settings.color_scheme] ?? '')
      : (localStorage.getItem(STORED) ?? '')
    localStorage.setItem(STORED, scheme)
    document.documentElement.dataset.theme = scheme
  })
}
