import { isolated } from '../../model/state/isolated.ts'
import { pageTexts } from '../../texts/page-texts.ts'
import { useSession } from '../session-context.ts'
import { mayInvite, openInvite } from './invite.tsx'

const steps = [
  ['#streams', pageTexts.welcome.createChannel, pageTexts.welcome.createChannelText],
  ['#settings/organization', pageTexts.welcome.describe, pageTexts.welcome.describeText],
  ['#settings/profile', pageTexts.welcome.profile, pageTexts.welcome.profileText],
] as const

/** Next steps for an owner who has just set up the organization and is its only member. */
export function Welcome() {
  const state = useSession().read('organization', 'groups', 'users')
  return (
    <section class="welcome" aria-labelledby="welcome-title">
      <h2 id="welcome-title">{pageTexts.welcome.title(isolated(state.realm_name))}</h2>
      <p class="quiet">{pageTexts.welcome.alone}</p>
      {mayInvite(state) && (
        <button type="button" class="primary" onClick={openInvite}>
          {pageTexts.invite.title}
        </button>
      )}
      <ul>
        {steps.map(([address, title, about]) => (
          <li key={address}>
            <a class="row" href={address}>
              <span class="name">
                {title}
                <span class="quiet small">{about}</span>
              </span>
            </a>
          </li>
        ))}
      </ul>
    </section>
  )
}
