import { inLanguage } from '../../model/state/language.ts'
import { loadPart } from '../../model/state/load-part.ts'

type Menus = typeof import('./loaded-menus.ts')

let loaded: Menus | undefined

/** Loads the menus of messages, topics and channels. */
export async function loadMenus(): Promise<void> {
  loaded ??= await loadPart(() => import('./loaded-menus.ts'))
}

/** Loads them early, so that a menu opens without waiting. */
export const prepareMenus = (): void => void inLanguage(() => import('./loaded-menus.ts')).catch(() => {})

/** The menus, after `loadMenus`. */
export const menus = (): Menus => loaded!
