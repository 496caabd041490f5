import { personOf, shownName } from '../../model/reading/people.ts'
import type { Session } from '../../model/state/session.ts'
import { openDialog } from '../parts/dialog.tsx'
import { onDemand } from '../parts/on-demand.tsx'
import { SessionProvider } from '../session-context.ts'

const PersonCard = onDemand(async () => (await import('./person-card.tsx')).PersonCard)

/** Shows who somebody is. */
export function openProfile(session: Session, user_id: number): void {
  const person = personOf(session, user_id)
  if (!person) return
  openDialog(
    shownName(session, person),
    <SessionProvider value={session}>
      <PersonCard user_id={user_id} />
    </SessionProvider>,
  )
}
