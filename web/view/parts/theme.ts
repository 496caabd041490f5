import { effect } from '@preact/signals'
import { current } from '../../model/account/account.ts'
import { browserStorage } from '../../model/persistence/browser-storage.ts'
import { isReadOnly } from '../../model/state/spectator.ts'

const schemes: Readonly<Record<number, string>> = { 2: 'dark', 3: 'light' }
const STORED = 'color-scheme'

/** Of the frame that a phone draws around the page: as the sidebars. */
const frames = { light: '#f6f6f4', dark: '#1d1e22' } as const
type Scheme = keyof typeof frames

function showTheme(scheme: string): void {
  if (document.documentElement.dataset.theme === scheme) return
  document.documentElement.dataset.theme = scheme
  for (const meta of document.querySelectorAll<HTMLMetaElement>('meta[name=theme-color]')) {
    const ofSystem = meta.media.includes('dark') ? 'dark' : 'light'
    meta.content = frames[(scheme || ofSystem) as Scheme]
  }
}

const ACCENT = 'accent'

/**
 * Shows an accent: the name of one of the page's, or an organization's color. Its lightness is the stylesheet's, so that
 * text in it can be read in both themes.
 */
export function showAccent(accent: string): void {
  const { dataset, style } = document.documentElement
  dataset.accent = accent
  style.setProperty('--own', accent)
}

/** Shows the theme of the last visit. Call it before anything is drawn, so that the page starts in its colors. */
export function showKeptTheme(): void {
  showTheme(browserStorage().getItem(STORED) ?? '')
  showAccent(browserStorage().getItem(ACCENT) ?? '')
}

/** At this size and height of lines rows and gaps are as the stylesheet has them. */
const USUAL = { size: 16, height: 140 }

/** The page's text size and density from the account's settings. Density scales line height, rows and gaps. */
function showDensity(): void {
  const session = current.value
  if (!session.isReady.value) return
  const settings = session.read('settings').user_settings
  const { web_font_size_px: size, web_line_height_percent: height } = settings
  const { style, dataset } = document.documentElement
  // Without a choice, the browser's own size applies, which its user may have chosen.
  style.fontSize = size === USUAL.size ? '' : `${size}px`
  style.setProperty('--line-height', String(height / 100))
  style.setProperty('--density', String(Math.max(0.25, (height - 100) / (USUAL.height - 100))))
  const previews = session.read('organization').realm_media_preview_size / 100
  style.setProperty('--preview-scale', previews === 1 ? '' : String(previews))
  dataset.width = settings.fluid_layout_width ? 'all' : ''
  dataset.previews = settings.web_link_previews ? '' : 'off'
  dataset.contrast = settings.high_contrast_mode ? 'high' : ''
}

/** Light, dark, or the system's, and the accent: the account's setting, stored by the browser for the next start. */
function showOwnTheme(): void {
  const session = current.value
  if (!session.isReady.value || isReadOnly(session)) return
  const { color_scheme, web_accent_color } = session.read('settings').user_settings
  const scheme = schemes[color_scheme] ?? ''
  const accent =
    web_accent_color === 'organization' ? session.read('organization').realm_accent_color : web_accent_color
  browserStorage().setItem(STORED, scheme)
  browserStorage().setItem(ACCENT, accent)
  showTheme(scheme)
  showAccent(accent)
}

/**
 * Follows the account's settings. Call it before anything is drawn, because later changes lay out the whole page
 * again.
 */
export function followAppearance(): void {
  effect(showOwnTheme)
  effect(showDensity)
}
