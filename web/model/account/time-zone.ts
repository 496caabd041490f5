import { signal } from '@preact/signals'
import { storedName } from '../here.ts'
import { browserStorage } from '../persistence/browser-storage.ts'
import { personOf } from '../reading/people.ts'
import { perSession, type Session } from '../state/session.ts'

const STORED = storedName('time-zone-not-now')
/** The change that the reader declined, stored by the browser. */
const declined = perSession(() => signal(browserStorage().getItem(STORED)))

/** From the profile's time zone to this device's. */
export interface ZoneChange {
  from: string
  to: string
}

/** The change to offer: where this device has other times than the profile says, and the reader wants it offered. */
export function zoneChange(session: Session): ZoneChange | undefined {
  if (!session.read('settings').user_settings.web_suggest_update_timezone) return undefined
  const from = personOf(session, session.state.user_id)?.timezone
  // Of most accounts it is not known when the page begins, and the first format of a page takes long to make.
  if (!from) return undefined
  const to = Intl.DateTimeFormat().resolvedOptions().timeZone
  if (declined(session).value === keyOf({ from, to }) || haveSameTimes(from, to)) return undefined
  return { from, to }
}

export function decline(session: Session, change: ZoneChange): void {
  declined(session).value = keyOf(change)
  browserStorage().setItem(STORED, keyOf(change))
}

const keyOf = ({ from, to }: ZoneChange): string => `${from} ${to}`

/** Zones of several names, such as Paris and Berlin, have the same times in winter and in summer. */
function haveSameTimes(a: string, b: string, year = new Date().getFullYear()): boolean {
  const timesIn = (timeZone: string) =>
    [0, 6].map((month) => new Date(Date.UTC(year, month, 1)).toLocaleString('en', { timeZone })).join()
  try {
    return a === b || timesIn(a) === timesIn(b)
  } catch {
    // A zone that this browser does not know cannot be compared.
    return true
  }
}
