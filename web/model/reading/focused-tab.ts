import { newId } from '../../../src/client/index.ts'
import { storedName } from '../here.ts'

const PREFIX = storedName('focus ')
const own = PREFIX + newId()
let release: (() => void) | undefined

/** Tells the other tabs through a lock that this one has the focus. Does nothing in browsers without locks. */
export function tellFocus(): void {
  const hold = () => {
    // The focus may be gone by the time the lock is granted.
    const untilBlur = () => (document.hasFocus() ? new Promise<void>((resolve) => (release = resolve)) : undefined)
    if (!release && document.hasFocus()) void navigator.locks?.request(own, { ifAvailable: true }, untilBlur)
  }
  addEventListener('focus', hold)
  addEventListener('blur', () => {
    release?.()
    release = undefined
  })
  hold()
}

/** Returns whether another tab of this page has the focus. */
export async function hasOtherFocus(): Promise<boolean> {
  const { held = [] } = (await navigator.locks?.query()) ?? {}
  return held.some(({ name }) => name !== own && name?.startsWith(PREFIX))
}
