import { type ClientState, isSpectator, type Narrow } from '../../../src/client/index.ts'
import type { Place } from './address.ts'
import { address } from './route.ts'
import type { Session } from './session.ts'

/** All that people without an account may read. */
export const openMessages: Narrow = [{ operator: 'channels', operand: 'web-public' }]

/** Whether the page is read by somebody without an account: nothing can be written, marked or followed then. */
export const isReadOnly = ({ state }: Session): boolean => isSpectator(state)

/** Whether somebody without an account is shown this: a stream that is open to everybody, or the way to one. */
export function isOpenToAll({ subscriptions }: ClientState, place: Place): boolean {
  if (place.view === 'streams' || place.view === 'search') return subscriptions.length > 0
  return place.view === 'feed' && place.narrow.some((term) => isOpenPlace(subscriptions, term))
}

const isOpenPlace = (open: ClientState['subscriptions'], { operator, operand, negated }: Narrow[number]): boolean =>
  !negated &&
  (operator === 'channel'
    ? open.some(({ stream_id, name }) => stream_id === operand || name === operand)
    : operator === 'channels' && operand === openMessages[0]!.operand)

/** A search of somebody without an account: the server wants to know where. */
export const inOpenStreams = (session: Session, narrow: Narrow): Narrow =>
  !isReadOnly(session) || narrow.some((term) => isOpenPlace(session.state.subscriptions, term))
    ? narrow
    : [...openMessages, ...narrow]

/** The address of the way in, from which one comes back to the present one. */
export const signInAddress = (): string => `#sign-in/${address.value.replace(/^#/, '')}`

/** At most so often; the server counts the requests of those without an account by their address. */
const LOOK_MS = 15_000

/** Nothing comes by itself without an account: what is new is asked for when somebody looks at the page again. */
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
