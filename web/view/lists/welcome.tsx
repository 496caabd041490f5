import { useSession } from '../session-context.ts'
import { mayInvite, openInvite } from './invite.tsx'

const steps = [
  ['#streams', 'Make a stream', 'A place for a team or a purpose; each conversation in it has a topic.'],
  ['#settings/organization', 'Describe the organization', 'Its picture and what it is for, as newcomers see them.'],
  ['#settings/profile', 'Complete your profile', 'Your picture, your time zone and what you are doing.'],
] as const

/** What is next where somebody has set a chat up and nobody else is in it. */
export function Welcome() {
  const state = useSession().read('organization', 'groups', 'users')
  return (
    <section class="welcome" aria-labelledby="welcome-title">
      <h2 id="welcome-title">
        Welcome to <bdi>{state.realm_name}</bdi>
      </h2>
      <p class="quiet">So far you are alone here. A chat begins with the second person.</p>
      {mayInvite(state) && (
        <button type="button" class="primary" onClick={openInvite}>
          Invite people
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
