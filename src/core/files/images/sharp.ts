import type { SharpOptions } from 'sharp'
import { MAX_IMAGE_PIXELS } from '../../kernel/base/limits.ts'
import { INSTALL_SHARP, importSharp, type MakeSharp, resolveSharp } from './sharp-package.ts'

let loading: Promise<MakeSharp | undefined> | undefined

/** The library that reads and makes images, if it is installed and works here; loaded when first needed. */
export function loadSharp(): Promise<MakeSharp | undefined> {
  loading ??= importSharp().catch((error: Error) => {
    // It may be there without the part for this machine.
    if (isSharpInstalled()) problem = `the package sharp cannot be loaded (${error.message.trim().split('\n', 1)[0]})`
    return undefined
  })
  return loading
}

/** Why images cannot be read, as far as is known; undefined where they can. */
let problem: string | undefined | 'unknown' = 'unknown'

/** Whether it is there to be loaded. */
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

/** What is missing without the library, and what to do, in a sentence; undefined where it was not found missing. */
export function imagesProblem(): string | undefined {
  if (isSharpInstalled()) return undefined
  return `images get no smaller copies and are shown as they are: ${problem}; ${INSTALL_SHARP} adds it`
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
