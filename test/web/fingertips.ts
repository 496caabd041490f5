import type { Page } from 'playwright-core'

/**
 * Visible controls that are lower than a fingertip. Not those in text, and not small ones side by side that have room
 * around them.
 */
const small = `[...document.querySelectorAll('button, select, input, summary, a.button, a.row, [role=tab], [role=option]')]
  .filter((one) => one.checkVisibility({ visibilityProperty: true }))
  .filter((one) => one.closest('dialog, [role=menu]') || !one.closest('.message, .line'))
  .filter((one) => !one.closest('.swatches, .skip, .resizer, .hidden'))
  .map((one) => (one.matches('[type=checkbox], [type=radio]') ? one.closest('label') ?? one : one))
  .map((one) => one.closest('.file-input') ?? one)
  .filter((one) => Math.round(one.getBoundingClientRect().height) < 44)
  .map((one) => one.outerHTML.slice(0, 160))`

/** Dialogs, and what they scroll, that are wider than their room. */
const sideways = `[...document.querySelectorAll('dialog[open], dialog[open] .scrolling, main, .compose, html')]
  .filter((one) => one.scrollWidth > one.clientWidth + 1)
  .map((one) => one.outerHTML.slice(0, 160))`

/** Returns controls of a touch screen that are too small. */
export const smallControls = async (page: Page): Promise<string[]> => (await page.evaluate(small)) as string[]

/** Returns what a dialog or view has beside its room. */
export const tooWide = async (page: Page): Promise<string[]> => (await page.evaluate(sideways)) as string[]
