import type { Session } from '../../model/state/session.ts'
import { channelsToWriteIn } from '../../model/writing/channels-to-write-in.ts'
import { composeTo } from '../../model/writing/compose.ts'
import { texts } from '../../texts/texts.ts'
import { closeDialog } from '../parts/dialog.tsx'
import { Finder } from '../parts/finder.tsx'
import { StreamMark } from '../parts/stream-mark.tsx'

/** Finds the channel of a new message. */
export const ChannelFinder = ({ session, begun }: { session: Session; begun(): string }) => (
  <Finder
    label={texts.compose.chooseChannel}
    placeholder={texts.compose.chooseChannel}
    begun={begun}
    find={(query) => channelsToWriteIn(session, query)}
    mark={({ stream }) => <StreamMark stream={stream} />}
    choose={({ stream: { stream_id } }) => {
      closeDialog()
      composeTo(session, { type: 'stream', stream_id, topic: '' })
    }}
  />
)
