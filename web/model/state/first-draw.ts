import { type ReadonlySignal, signal } from '@preact/signals'
import type { Live, MessageStore } from '../../../src/client/index.ts'

/** Without messages to wait for, the page counts as drawn this long after it is connected. */
const PATIENCE_MS = 700

/** How long the lists beside stored messages wait for newer messages. */
const SOON_MS = 100

/** How long after the frame with the messages the page counts as idle. */
const REST_MS = 100

const drawn = signal(false)

/**
 * Whether the first frame is drawn with the stored messages, and then with newer ones unless they take long. The lists
 * beside them come in the next frame.
 */
export const isDrawn: ReadonlySignal<boolean> = drawn

/** Waits for the first frame. A hidden page draws none, so it resolves after a while. */
export const untilDrawn = (): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, PATIENCE_MS)
    drawn.subscribe((is) => is && resolve())
  })

/**
 * Call it just before the first frame, with a promise for newer messages. `prepare` computes what the lists beside them
 * show, in a turn of its own.
 */
export function noteFirstFrame(sentSince: Promise<unknown>, prepare: () => unknown): void {
  const show = () => {
    prepare()
    setTimeout(() => {
      drawn.value = true
    })
  }
  afterFrame(() => {
    const soon = new Promise((resolve) => setTimeout(resolve, SOON_MS))
    void Promise.race([sentSince, soon]).then(() => afterFrame(show))
  })
}

/** Runs after the next frame, or soon in a hidden page, which draws none. */
function afterFrame(run: () => void): void {
  if (document.visibilityState === 'hidden') setTimeout(run)
  else requestAnimationFrame(() => setTimeout(run))
}

const rest = signal(false)

/**
 * Whether the first view is drawn with the newest messages. Less urgent data follows: all users, images, the ends of
 * long lists.
 */
export const isFirstViewDrawn: ReadonlySignal<boolean> = rest

/** About a screenful. */
const ROWS = 25
const beside = signal(ROWS)

/** How many rows are drawn of a long list beside the view. In one frame, all of them would take too long. */
export const rowsBeside: ReadonlySignal<number> = beside

let isDrawingMore = false

/** Draws another screenful in a later frame. */
export function drawMoreBeside(): void {
  if (isDrawingMore) return
  isDrawingMore = true
  afterFrame(() => {
    isDrawingMore = false
    beside.value += ROWS
  })
}

/** Waits for the first messages, or for a while, and fetches the rest. */
export function finishFirstView({ live, messages }: { live: Live; messages: MessageStore }): void {
  const begin = () => {
    clearTimeout(timer)
    end()
    afterFrame(() =>
      setTimeout(() => {
        rest.value = true
        live.fetchPeople()
      }, REST_MS),
    )
  }
  const timer = setTimeout(begin, PATIENCE_MS)
  const end = messages.onChange(begin)
}
