import { narrowAddress } from '../../model/state/address.ts'
import { openMessages, signInAddress } from '../../model/state/spectator.ts'
import { PlaceLink } from '../lists/place-link.tsx'
import { useSession } from '../session-context.ts'
import { BarButton, BarLink } from '../shell/bottom-bar.tsx'

// What stands in the page of somebody without an account where others have what is theirs.

const ALL = narrowAddress(openMessages)

/** Whose page it is, and the way in. */
export function SpectatorHeader() {
  const { realm_name, realm_icon_url } = useSession().read('organization')
  return (
    <header class="account spectator">
      <img src={realm_icon_url} alt="" width="28" height="28" />
      <strong class="name">{realm_name}</strong>
      <a class="button primary" href={signInAddress()}>
        Sign in
      </a>
    </header>
  )
}

export const SpectatorPlaces = () => (
  <ul class="places">
    <PlaceLink to={ALL} icon="inbox" label="All messages" />
    <PlaceLink to="#streams" icon="hash" label="All streams" />
  </ul>
)

/** Below messages, instead of the box to write in. */
export const SpectatorNotice = () => (
  <p class="compose-notice">
    <span>You are reading without an account: what is new comes when you look at the page again.</span>
    <a class="button" href={signInAddress()}>
      Sign in to write
    </a>
  </p>
)

/** The ways around on a phone. */
export const SpectatorBar = () => (
  <nav class="bottom-bar" aria-label="Views">
    <BarLink to={ALL} icon="inbox" label="All" />
    <BarButton drawer="left" icon="hash" label="Streams" />
    <BarLink to="#search" icon="search" label="Search" />
    <BarLink to={signInAddress()} icon="people" label="Sign in" />
  </nav>
)
