import { createRequire } from 'node:module'
import type { SharpOptions } from 'sharp'
import { MAX_IMAGE_PIXELS } from '../base/limits.ts'

type MakeSharp = typeof import('sharp').default

let loading: Promise<MakeSharp | undefined> | undefined

/** The library that reads and makes images, if it is installed; loaded when first needed. */
export function loadSharp(): Promise<MakeSharp | undefined> {
  loading ??= import('sharp').then(
    (module) => module.default,
    () => undefined,
  )
  return loading
}

let installed: boolean | undefined

/** Whether it is there to be loaded. */
export function isSharpInstalled(): boolean {
  if (installed === undefined) {
    try {
      createRequire(import.meta.url).resolve('sharp')
      installed = true
    } catch {
      installed = false
    }
  }
  return installed
}

/** What an image may cost: its header says how large it is, and nothing is decoded of one that is larger. */
export const bounds = {
  limitInputPixels: MAX_IMAGE_PIXELS,
  failOn: 'error',
  sequentialRead: true,
} as const satisfies SharpOptions

const MAX_SECONDS = 20
export const timeout = { seconds: MAX_SECONDS } as const

let last: Promise<unknown> = Promise.resolve()

/** Runs work on images in its turn: one at a time in a process, on another thread each. */
export function inTurn<T>(work: () => Promise<T>): Promise<T> {
  const turn = last.then(work, work)
  last = turn.catch(() => {})
  return turn
}
