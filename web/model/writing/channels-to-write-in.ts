import { isAllowed } from '../../../src/client/index.ts'
import { pieceTexts } from '../../texts/piece-texts.ts'
import { compareNames } from '../state/compare-names.ts'
import type { Session } from '../state/session.ts'
import { lastChannel } from './last-channel.ts'
import { best, folded } from './matching.ts'

const MOST = 10
/** The channels that the reader can post in: the last one used, then the others by name. */
export function channelsToWriteIn(session: Session, query: string) {
  const state = session.read('streams', 'groups', 'users')
  const last = lastChannel()
  const open = state.subscriptions
    .filter((one) => !one.is_archived && isAllowed(state, one.can_send_message_group))
    .sort((a, b) => Number(b.stream_id === last) - Number(a.stream_id === last) || compareNames(a.name, b.name))
  return best(open, folded(query.trim()), ({ name }) => name, MOST).map((stream) => ({
    key: String(stream.stream_id),
    stream,
    label: stream.name,
    about: stream.stream_id === last ? pieceTexts.palette.lastChannel : undefined,
  }))
}
