import { type ReadonlySignal, signal } from '@preact/signals'
import type { Live, MessageStore } from '../../../src/client/index.ts'

/** Without messages to wait for, the page counts as drawn this long after the connection stands. */
const PATIENCE_MS = 700

/** So long the lists beside kept messages wait for those that were sent since. */
const SOON_MS = 100

/** So long after the frame that has the messages is drawn. */
const REST_MS = 100

const drawn = signal(false)

/**
 * Whether the first frame is drawn, with the messages that were kept, and after it those that were sent since, unless they
 * take long. The lists beside them come in the next one.
 */
export const isDrawn: ReadonlySignal<boolean> = drawn

/** Waits for that; where the page is hidden just then it draws none, and this goes on after a while. */
export const untilDrawn = (): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, PATIENCE_MS)
    drawn.subscribe((is) => is && resolve())
  })

/** To be called when the first frame is about to be drawn, with what is waited for of the messages that were sent since. */
export function noteFirstFrame(sentSince: Promise<unknown>): void {
  const show = () => {
    drawn.value = true
  }
  afterFrame(() => {
    const soon = new Promise((resolve) => setTimeout(resolve, SOON_MS))
    void Promise.race([sentSince, soon]).then(() => afterFrame(show))
  })
}

/** Runs when the next frame is drawn, however long that takes; in a page that is not seen, which draws none, soon. */
function afterFrame(run: () => void): void {
  if (document.visibilityState === 'hidden') setTimeout(run)
  else requestAnimationFrame(() => setTimeout(run))
}

const rest = signal(false)

/**
 * Whether the first view is drawn, with the newest messages. What nobody waits for comes after it: all people, pictures, the
 * ends of long lists.
 */
export const isFirstViewDrawn: ReadonlySignal<boolean> = rest

/** Waits for the first messages, or for a while, and fetches what can come after. */
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
