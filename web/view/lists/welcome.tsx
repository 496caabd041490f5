import { isolated } from '../../model/state/isolated.ts'
import { pageTexts } from '../../texts/page-texts.ts'
import { useSession } from '../session-context.ts'
import { mayInvite, openInvite } from '../settings/invite.tsx'
import { FirstSteps } from './first-run.tsx'

/** Next steps for an owner who has just set up the organization and is its only member. */
export function Welcome() {
  const session = useSession()
  const state = session.read('organization', 'groups', 'users')
  return (
    <section class="welcome" aria-labelledby="welcome-title">
      <h2 id="welcome-title">{pageTexts.welcome.title(isolated(state.realm_name))}</h2>
      <p class="quiet">{pageTexts.welcome.alone}</p>
      {mayInvite(state) && (
        <button type="button" class="primary" onClick={() => openInvite(session)}>
          {pageTexts.invite.title}
        </button>
      )}
      <FirstSteps />
    </section>
  )
}
