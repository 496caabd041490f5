import { loadPart } from '../../model/state/load-part.ts'
import type { Session } from '../../model/state/session.ts'
import { whyNotWrite } from '../../model/writing/rights.ts'
import { pieceTexts } from '../../texts/piece-texts.ts'
import type { MenuItem } from '../parts/menu.tsx'

/** The entry of a channel's menu that shows its email address; none where email can't be posted. */
export function channelEmailItem(session: Session, stream_id: number): MenuItem[] {
  if (!session.read('organization').server_receives_email) return []
  if (whyNotWrite(session, { type: 'stream', stream_id, topic: '' }) !== '') return []
  return [
    {
      label: pieceTexts.channelEmail.menu,
      run: async () =>
        (await loadPart(() => import('../settings/loaded-pages.ts'))).openChannelEmail(session, stream_id),
    },
  ]
}
