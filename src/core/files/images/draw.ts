import { type Color, encodePng } from './png.ts'

export type Point = readonly [x: number, y: number]

/**
 * A point, a line, or a convex polygon given clockwise, grown by a radius of at least half a pixel. The picture is 100 wide and
 * 100 high.
 */
export interface Shape {
  points: readonly Point[]
  radius: number
}

/** Shapes in layers from back to front. The first color is behind all layers, and each layer has the next one. */
export interface Drawing {
  layers: readonly (readonly Shape[])[]
  colors: readonly Color[]
}

/** Steps between two colors, for smooth edges. */
const STEPS = 32

/** Draws a square PNG of this size. A layer's shapes must lie within the shapes of the layer behind it. */
export function drawPng({ layers, colors }: Drawing, size: number): Promise<Buffer> {
  const pixels = new Uint8Array(size * size)
  for (const shapes of layers) {
    const covered = new Float32Array(size * size)
    for (const shape of shapes) cover(covered, size, shape)
    for (let i = 0; i < pixels.length; i++) pixels[i]! += Math.round(covered[i]! * STEPS)
  }
  const palette = Array.from({ length: layers.length * STEPS + 1 }, (_, i) => mixed(colors, i / STEPS))
  return encodePng(size, pixels, palette)
}

/** Raises each pixel that a shape touches to the share of it that the shape covers. */
function cover(covered: Float32Array, size: number, { points, radius }: Shape): void {
  const scale = size / 100
  const placed = points.map(([x, y]): Point => [x * scale, y * scale])
  const reach = radius * scale + 0.5
  const [left, right] = span(0, placed, reach, size)
  const [top, bottom] = span(1, placed, reach, size)
  for (let y = top; y < bottom; y++) {
    for (let x = left; x < right; x++) {
      const i = y * size + x
      if (covered[i] === 1) continue
      const part = reach - distance(placed, x + 0.5, y + 0.5)
      if (part > covered[i]!) covered[i] = Math.min(part, 1)
    }
  }
}

/** Returns the rows, or columns, that points reach. */
function span(axis: 0 | 1, points: readonly Point[], reach: number, size: number): [first: number, end: number] {
  const places = points.map((point) => point[axis])
  return [Math.max(Math.floor(Math.min(...places) - reach), 0), Math.min(Math.ceil(Math.max(...places) + reach), size)]
}

/** Returns the distance from a convex polygon to a point: 0 inside. */
function distance(points: readonly Point[], x: number, y: number): number {
  let isInside = points.length > 2
  let nearest = Number.POSITIVE_INFINITY
  let from = points.at(-1)!
  for (const to of points) {
    const dx = to[0] - from[0]
    const dy = to[1] - from[1]
    const px = x - from[0]
    const py = y - from[1]
    if (dx * py < dy * px) isInside = false
    const along = Math.min(Math.max((px * dx + py * dy) / (dx * dx + dy * dy || 1), 0), 1)
    nearest = Math.min(nearest, (px - along * dx) ** 2 + (py - along * dy) ** 2)
    from = to
  }
  return isInside ? 0 : Math.sqrt(nearest)
}

/** Returns the color at a place between the first (0) and the last. */
function mixed(colors: readonly Color[], at: number): Color {
  const before = colors[Math.floor(at)]!
  const after = colors[Math.ceil(at)]!
  return before.map((value, i) => Math.round(value + (after[i]! - value) * (at % 1))) as unknown as Color
}
