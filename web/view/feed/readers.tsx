import { nameOf } from '../../model/reading/people.ts'
import { compareNames } from '../../model/state/compare-names.ts'
import type { Session } from '../../model/state/session.ts'
import { pageTexts } from '../../texts/page-texts.ts'
import { Avatar } from '../parts/avatar.tsx'
import { openPopover } from '../parts/dialog.tsx'
import { SessionProvider } from '../session-context.ts'

/** Shows who has read a message, among users who share read receipts. */
export async function openReaders(session: Session, message_id: number): Promise<void> {
  const { user_ids } = await session.client.getReadReceipts({ message_id })
  const readers = user_ids.map((user_id) => ({ user_id, name: nameOf(session, user_id) }))
  openPopover(
    pageTexts.readers.title,
    <SessionProvider value={session}>
      {readers.length === 0 && <p class="quiet">{pageTexts.readers.empty}</p>}
      <ul class="readers">
        {readers
          .sort((a, b) => compareNames(a.name, b.name))
          .map(({ user_id, name }) => (
            <li key={user_id} class="row">
              <Avatar user_id={user_id} size={24} />
              <span class="name">{name}</span>
            </li>
          ))}
      </ul>
    </SessionProvider>,
  )
}
