import { decline, zoneChange } from '../../model/account/time-zone.ts'
import { texts } from '../../texts/texts.ts'
import { attempt } from '../parts/notices.tsx'
import { useSession } from '../session-context.ts'

/** Offers to change the profile's time zone to this device's. */
export function ZoneBar() {
  const session = useSession()
  const change = zoneChange(session)
  if (!change) return null
  const { from, to } = change
  return (
    <section class="bar" aria-label={texts.shell.timeZone}>
      {texts.shell.zones(words(from), words(to))}{' '}
      <button type="button" onClick={() => attempt(() => session.client.updateSettings({ timezone: to }))}>
        {texts.shell.changeZone}
      </button>{' '}
      <button type="button" onClick={() => decline(session, change)}>
        {texts.shell.keepZone}
      </button>
    </section>
  )
}

const words = (zone: string): string => zone.replaceAll('_', ' ')
