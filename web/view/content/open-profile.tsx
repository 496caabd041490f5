import { personOf, shownName, whenPeopleKnown } from '../../model/reading/people.ts'
import type { Session } from '../../model/state/session.ts'
import { openPopover } from '../parts/dialog.tsx'
import { onDemand } from '../parts/on-demand.tsx'
import { SessionProvider } from '../session-context.ts'

const PersonCard = onDemand(async () => (await import('./loaded-content.ts')).PersonCard)

/** Shows who somebody is, as soon as the server's people are known. */
export function openProfile(session: Session, user_id: number): void {
  const person = personOf(session, user_id)
  if (!person) {
    whenPeopleKnown(session, () => openProfile(session, user_id))
    return
  }
  openPopover(
    shownName(session, person),
    <SessionProvider value={session}>
      <PersonCard user_id={user_id} />
    </SessionProvider>,
  )
}
