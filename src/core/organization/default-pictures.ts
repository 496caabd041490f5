import { createHash } from 'node:crypto'
import { type Drawing, drawPng, type Shape } from '../files/images/draw.ts'
import type { Color } from '../files/images/png.ts'
import { type ServedFile, servedBytes } from '../kernel/answers.ts'
import { type PictureKind, pictureKinds } from './pictures.ts'

const tile: Shape = { points: [[22, 22], [78, 22], [78, 78], [22, 78]], radius: 22 } // biome-ignore format: a line a shape
const bubble: Shape = { points: [[25, 34], [75, 34], [75, 62], [25, 62]], radius: 8 } // biome-ignore format: a line a shape
const tail: Shape = { points: [[31, 66], [49, 66], [31, 82]], radius: 1 } // biome-ignore format: a line a shape

const speech = (back: readonly [number, number, number], front: Color): Drawing => ({
  layers: [[tile], [bubble, tail]],
  colors: [[...back, 0], [...back, 255], front],
})

/** A speech bubble on a tile, like the web client's icon. */
export const icon = speech([63, 95, 196], [255, 255, 255, 255])

const drawings: Readonly<Record<PictureKind, Drawing>> = {
  icon,
  logo: icon,
  night_logo: speech([158, 178, 246], [27, 30, 36, 255]),
}

const drawn = new Map<string, Promise<ServedFile>>()

/** Returns an image for organizations without an uploaded one, by the last part of its address. Drawn once. */
export function defaultPicture(file: string): Promise<ServedFile> | undefined {
  const [, name, medium] = /^(\w+?)(-medium)?\.png$/.exec(file) ?? []
  const kind = pictureKinds.find((one) => one === name)
  if (!kind) return undefined
  const served = drawn.get(file) ?? serve(drawings[kind], medium ? 500 : 100)
  drawn.set(file, served)
  return served
}

async function serve(drawing: Drawing, size: number): Promise<ServedFile> {
  const bytes = await drawPng(drawing, size)
  const version = createHash('sha256').update(bytes).digest('base64url').slice(0, 16)
  return servedBytes(bytes, { content_type: 'image/png', version, cache: 'day', embed: 'everywhere' })
}
