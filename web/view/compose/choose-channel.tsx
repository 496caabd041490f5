import { current } from '../../model/state/account.ts'
import { channelsToWriteIn } from '../../model/writing/channels-to-write-in.ts'
import { composeTo } from '../../model/writing/compose.ts'
import { texts } from '../../texts/texts.ts'
import { closeDialog, openDialog } from '../parts/dialog.tsx'
import { Finder } from '../parts/finder.tsx'

/** Opens a dialog that asks for the channel of a new message. */
export function chooseChannel(): void {
  openDialog(
    texts.compose.newChannelMessage,
    <Finder
      label={texts.compose.chooseChannel}
      placeholder={texts.compose.chooseChannel}
      find={(query) => channelsToWriteIn(current.value, query)}
      choose={({ stream_id }) => {
        closeDialog()
        composeTo(current.value, { type: 'stream', stream_id, topic: '' })
      }}
    />,
  )
}
