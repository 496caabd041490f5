import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { testServer } from '../../src/testing/index.ts'
import { newPage } from './browser.ts'
import { browserTest } from './browser-test.ts'
import { lowContrasts, type Pair } from './contrast.ts'

const styles = new URL('../../web/styles/', import.meta.url)
const css = (name: string) => readFileSync(new URL(name, styles), 'utf8')

const surfaces = ['page', 'side', 'raised']
const washes = ['hover', 'accent-wash', 'mention-wash', 'danger-wash']

/** The colors that channels get in turn. */
const streamColors = readFileSync(new URL('../../src/core/streams/colors.ts', import.meta.url), 'utf8').match(
  /#[0-9a-f]{6}/g,
)!

const across = (colors: readonly string[], backgrounds: readonly string[]): Pair[] =>
  colors.flatMap((color) => backgrounds.map((on) => [color, on] as const))

/** The declarations of a property whose value is a color of its own, not a variable. */
const ownColors = (name: string, property: 'color' | 'background'): string[] =>
  [...css(name).matchAll(/^\s*([a-z-]+): (light-dark\([^;]*\));$/gm)].flatMap(([, of, value]) =>
    of === property ? [value!] : [],
  )

/** Text needs 4.5:1. */
const texts: Pair[] = [
  ...across(['text', 'quiet'], [...surfaces, ...washes]),
  ...across(['danger'], [...surfaces, 'hover', 'danger-wash']),
  ...across(['star'], [...surfaces, 'mention-wash']),
  ...across(ownColors('code.css', 'color'), ['side']),
  ...across(['text'], ownColors('markup.css', 'background')),
  ['light-dark(#fff, #2b0f0d)', 'light-dark(#b3261e, #f2a49e)'],
]
/** What is no text, but has a meaning, needs 3:1. */
const marks: Pair[] = [
  ...across(['field-line', 'accent', 'danger', 'good', 'away'], surfaces),
  ['page', 'field-line'],
  ...across(
    streamColors.map(
      (color) => `light-dark(oklch(from ${color} min(l, 0.6) c h), oklch(from ${color} max(l, 0.7) c h))`,
    ),
    surfaces,
  ),
]

browserTest('text and marks have enough contrast in both themes, also with high contrast', async (t) => {
  // The colors of channels above are a copy of this rule.
  assert.match(
    css('sidebar.css'),
    /light-dark\(oklch\(from var\(--stream\) min\(l, 0\.6\) c h\), oklch\(from var\(--stream\) max\(l, 0\.7\) c h\)\)/,
  )
  assert.ok(readdirSync(styles).includes('tokens.css') && ownColors('code.css', 'color').length > 5)
  await using server = await testServer({ web: true })
  const page = await newPage(server.url)
  t.after(() => page.context().close())
  await page.goto('/')
  await page.getByLabel('Password').waitFor()
  const low: string[] = []
  for (const colorScheme of ['light', 'dark'] as const)
    for (const contrast of ['usual', 'high'] as const) {
      await page.emulateMedia({ colorScheme })
      await page.evaluate(`document.documentElement.dataset.contrast = '${contrast}'`)
      low.push(...(await lowContrasts(page, texts, 4.5, `${colorScheme}, ${contrast}`)))
      low.push(...(await lowContrasts(page, marks, 3, `${colorScheme}, ${contrast}`)))
    }
  assert.deepEqual(low, [])
})
