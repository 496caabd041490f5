import { narrowAddress } from '../../model/state/address.ts'
import { openMessages, signInAddress } from '../../model/state/spectator.ts'
import { pageTexts } from '../../texts/page-texts.ts'
import { texts } from '../../texts/texts.ts'
import { BarButton, BarLink } from '../parts/bar-entries.tsx'
import { PlaceLink } from '../parts/place-link.tsx'
import { useSession } from '../session-context.ts'

// Shown to visitors without an account where others have their own lists.

const ALL = narrowAddress(openMessages)

/** The organization's name, and the sign-in button. */
export function SpectatorHeader() {
  const { realm_name, realm_icon_url } = useSession().read('organization')
  return (
    <header class="account spectator">
      <img src={realm_icon_url} alt="" width="28" height="28" />
      <strong class="name">{realm_name}</strong>
      <a class="button primary" href={signInAddress()}>
        {texts.places.signIn}
      </a>
    </header>
  )
}

export const SpectatorPlaces = () => (
  <ul class="places">
    <PlaceLink to={ALL} icon="inbox" label={texts.places.allMessages} />
    <PlaceLink to="#streams" icon="hash" label={pageTexts.spectator.allChannels} />
  </ul>
)

/** Below the messages, instead of the composer. */
export const SpectatorNotice = () => (
  <p class="compose-notice">
    <span>{pageTexts.spectator.notice}</span>
    <a class="button" href={signInAddress()}>
      {pageTexts.spectator.signIn}
    </a>
  </p>
)

/** The navigation on phones. */
export const SpectatorBar = () => (
  <nav class="bottom-bar" aria-label={texts.shell.views}>
    <BarLink to={ALL} icon="inbox" label={pageTexts.spectator.all} />
    <BarButton drawer="left" icon="hash" label={texts.places.channels} />
    <BarLink to="#search" icon="search" label={texts.places.search} />
    <BarLink to={signInAddress()} icon="people" label={texts.places.signIn} />
  </nav>
)
