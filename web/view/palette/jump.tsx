import type { Session } from '../../model/state/session.ts'
import { texts } from '../../texts/texts.ts'
import { openDialog } from '../parts/dialog.tsx'
import { earlyKeys } from '../parts/early-keys.ts'
import { onDemand } from '../parts/on-demand.tsx'

const Palette = onDemand(async () => (await import('./loaded-palette.ts')).Palette)

/** Opens the palette, which finds everything. */
export function openJump(session: Session): void {
  openDialog(texts.shell.jumpTitle, <Palette session={session} begun={earlyKeys()} />)
}
