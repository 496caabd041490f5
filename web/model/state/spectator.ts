import { type ClientState, isSpectator, type Narrow } from '../../../src/client/index.ts'
import type { Place } from './address.ts'
import { address } from './route.ts'
import type { Session } from './session.ts'

/** All that people without an account may read. */
export const openMessages: Narrow = [{ operator: 'channels', operand: 'web-public' }]

/** Whether the reader has no account, so they can't post, mark or follow anything. */
export const isReadOnly = ({ state }: Session): boolean => isSpectator(state)

/** Returns whether a visitor without an account may see this: a public stream, or the sign-in page. */
export function isOpenToAll({ subscriptions }: ClientState, place: Place): boolean {
  if (place.view === 'streams' || place.view === 'search') return subscriptions.length > 0
  return place.view === 'feed' && place.narrow.some((term) => isOpenPlace(subscriptions, term))
}

const isOpenPlace = (open: ClientState['subscriptions'], { operator, operand, negated }: Narrow[number]): boolean =>
  !negated &&
  (operator === 'channel'
    ? open.some(({ stream_id, name }) => stream_id === operand || name === operand)
    : operator === 'channels' && operand === openMessages[0]!.operand)

/** Restricts the search of a visitor without an account, because the server requires a place. */
export const inOpenStreams = (session: Session, narrow: Narrow): Narrow =>
  !isReadOnly(session) || narrow.some((term) => isOpenPlace(session.state.subscriptions, term))
    ? narrow
    : [...openMessages, ...narrow]

/** The address of the way in, from which one comes back to the present one. */
export const signInAddress = (): string => `#sign-in/${address.value.replace(/^#/, '')}`

/** The minimum time between requests, because the server counts visitors' requests by address. */
const LOOK_MS = 15_000

/** Fetches news when a visitor returns to the page, because there are no events without an account. */
export function lookAgain({ live }: Session): () => void {
  let last = performance.now()
  const look = () => {
    if (document.visibilityState !== 'visible' || performance.now() - last < LOOK_MS) return
    last = performance.now()
    live.retry()
  }
  document.addEventListener('visibilitychange', look)
  addEventListener('focus', look)
  return () => {
    document.removeEventListener('visibilitychange', look)
    removeEventListener('focus', look)
  }
}
