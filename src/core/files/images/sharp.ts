import type { SharpOptions } from 'sharp'
import { MAX_IMAGE_PIXELS } from '../../kernel/base/limits.ts'
import { INSTALL_SHARP, importSharp, type MakeSharp, resolveSharp } from './sharp-package.ts'

let loading: Promise<MakeSharp | undefined> | undefined

/** Returns the library that reads and makes images, if it is installed and works here. Loaded on first use. */
export function loadSharp(): Promise<MakeSharp | undefined> {
  loading ??= importSharp().catch((error: Error) => {
    // It may be installed without the part for this machine.
    if (isSharpInstalled()) problem = `the package sharp cannot be loaded (${error.message.trim().split('\n', 1)[0]})`
    return undefined
  })
  return loading
}

/** Why images can't be read, as far as known; undefined if they can. */
let problem: string | undefined | 'unknown' = 'unknown'

/** Returns whether it is installed. */
export function isSharpInstalled(): boolean {
  if (problem === 'unknown') problem = isThere() ? undefined : 'the optional package sharp is not installed'
  return problem === undefined
}

function isThere(): boolean {
  try {
    resolveSharp()
    return true
  } catch {
    return false
  }
}

/**
 * Returns what doesn't work without the library, and what to do, in a sentence; undefined if it isn't known to be
 * missing.
 */
export function imagesProblem(): string | undefined {
  if (isSharpInstalled()) return undefined
  return `images have no thumbnails and are shown in full size: ${problem}. To add it, run: ${INSTALL_SHARP}`
}

/** Limits for decoding an image. Its header says how large it is, and larger ones aren't decoded. */
export const bounds = {
  limitInputPixels: MAX_IMAGE_PIXELS,
  failOn: 'error',
  sequentialRead: true,
} as const satisfies SharpOptions

const MAX_SECONDS = 20
export const timeout = { seconds: MAX_SECONDS } as const

let last: Promise<unknown> = Promise.resolve()

/** Runs work on images one at a time per process, on another thread. */
export function inTurn<T>(work: () => Promise<T>): Promise<T> {
  const turn = last.then(work, work)
  last = turn.catch(() => {})
  return turn
}
