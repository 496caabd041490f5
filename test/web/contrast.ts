import type { Page } from 'playwright-core'

/** A color of the page: the name of a variable, or any other of CSS. */
type Color = string
export type Pair = readonly [color: Color, on: Color]

const inPage = (pairs: readonly Pair[]) => `(() => {
  const pen = document.createElement('canvas').getContext('2d', { willReadFrequently: true })
  const luminance = (name) => {
    const element = document.body.appendChild(document.createElement('i'))
    element.style.color = /^[a-z-]+$/.test(name) ? 'var(--' + name + ')' : name
    pen.fillStyle = getComputedStyle(element).color
    element.remove()
    pen.fillRect(0, 0, 1, 1)
    const [r, g, b] = [...pen.getImageData(0, 0, 1, 1).data].map((one) => one / 255).map((one) => (one <= 0.04045 ? one / 12.92 : ((one + 0.055) / 1.055) ** 2.4))
    return 0.2126 * r + 0.7152 * g + 0.0722 * b
  }
  return ${JSON.stringify(pairs)}.map(([a, b]) => {
    const [light, dark] = [luminance(a), luminance(b)].sort((one, other) => other - one)
    return (light + 0.05) / (dark + 0.05)
  })
})()`

/** The pairs of colors whose contrast is lower, as sentences. */
export async function lowContrasts(
  page: Page,
  pairs: readonly Pair[],
  least: number,
  where: string,
): Promise<string[]> {
  const found = (await page.evaluate(inPage(pairs))) as number[]
  return pairs.flatMap(([color, on], i) =>
    found[i]! >= least ? [] : [`${where}: ${color} on ${on} is ${found[i]!.toFixed(2)}, not ${least}`],
  )
}
