import { drawPng, type Shape } from '../../files/images/draw.ts'
import type { Color } from '../../files/images/png.ts'
import type { DrawnAvatar } from './drawn-avatar.ts'
import { writeInitials } from './letters.ts'

/** Head and shoulders, for names in scripts whose letters are not known. */
const silhouette: readonly Shape[] = [
  { points: [[50, 40]], radius: 16 },
  {
    points: [
      [40, 86],
      [60, 86],
      [60, 120],
      [40, 120],
    ],
    radius: 20,
  },
]

const PIXELS = { small: 100, medium: 500 } as const
const WHITE: Color = [255, 255, 255, 255]

/** Draws the PNG of an initials avatar. */
export const drawAvatar = ({ hue, initials, size }: DrawnAvatar): Promise<Buffer> =>
  drawPng({ layers: [writeInitials(initials) ?? silhouette], colors: [colorOf(hue), WHITE] }, PIXELS[size])

/**
 * CSS's hsl(hue 45% 42%), or hsl(hue 45% 32%) for the bright hues from yellow to cyan, on which white letters have too
 * little contrast otherwise. The web client does the same in `view/parts/drawn-color.ts`.
 */
function colorOf(hue: number): Color {
  const lightness = hue > 30 && hue < 203 ? 0.32 : 0.42
  const part = (n: number) => {
    const k = (n + hue / 30) % 12
    return Math.round(255 * lightness * (1 - 0.45 * Math.max(-1, Math.min(k - 3, 9 - k, 1))))
  }
  return [part(0), part(8), part(4), 255]
}
