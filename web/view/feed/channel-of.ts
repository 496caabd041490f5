import type { ClientState, Narrow } from '../../../src/client/index.ts'
import type { Session } from '../../model/state/session.ts'

type Stream = ClientState['never_subscribed'][number]

/** The channel of a topic or of a view of a whole channel; none for other views. */
export function channelOf(session: Session, narrow: Narrow): Stream | undefined {
  const [first, second] = narrow
  const isPlace =
    first?.operator === 'channel' &&
    !narrow.some(({ negated }) => negated) &&
    (narrow.length === 1 || (narrow.length === 2 && second!.operator === 'topic'))
  if (!isPlace) return undefined
  const { subscriptions, unsubscribed, never_subscribed } = session.read('streams')
  const all: readonly Stream[] = [...subscriptions, ...unsubscribed, ...never_subscribed]
  return all.find(({ stream_id }) => stream_id === Number(first.operand))
}
