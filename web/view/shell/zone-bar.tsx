import { decline, zoneChange } from '../../model/state/time-zone.ts'
import { attempt } from '../parts/notices.tsx'
import { useSession } from '../session-context.ts'

/** Offers to change the time zone of the profile to that of this device. */
export function ZoneBar() {
  const session = useSession()
  const change = zoneChange(session)
  if (!change) return null
  const { from, to } = change
  return (
    <section class="bar" aria-label="Time zone">
      Your profile says {words(from)}, and this device {words(to)}.{' '}
      <button type="button" onClick={() => attempt(() => session.client.updateSettings({ timezone: to }))}>
        Change it
      </button>{' '}
      <button type="button" onClick={() => decline(change)}>
        Not now
      </button>
    </section>
  )
}

const words = (zone: string): string => zone.replaceAll('_', ' ')
