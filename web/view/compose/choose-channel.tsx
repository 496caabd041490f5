import type { Session } from '../../model/state/session.ts'
import { texts } from '../../texts/texts.ts'
import { openDialog } from '../parts/dialog.tsx'
import { earlyKeys } from '../parts/early-keys.ts'
import { onDemand } from '../parts/on-demand.tsx'

const ChannelFinder = onDemand(async () => (await import('../palette/loaded-palette.ts')).ChannelFinder)

/** Opens a dialog that asks for the channel of a new message. */
export function chooseChannel(session: Session): void {
  openDialog(texts.compose.newChannelMessage, <ChannelFinder session={session} begun={earlyKeys()} />)
}
