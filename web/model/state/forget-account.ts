import { forgetStored } from '../persistence/browser-database.ts'
import { forgetScreen } from '../persistence/last-screen.ts'
import { clearStoredTexts } from '../persistence/stored-texts.ts'

/** The browser asks its push service, which may be out of reach: the way in does not wait for longer. */
const PATIENCE_MS = 2000

/** Removes all that this browser has of an account; one part that fails does not keep the others. */
export function forgetAccount(): Promise<unknown> {
  clearStoredTexts()
  forgetScreen()
  const patience = new Promise((resolve) => setTimeout(resolve, PATIENCE_MS))
  return Promise.allSettled([forgetStored(), Promise.race([forgetNotifications(), patience])])
}

/** What stands in the list of the system has names and texts; of more to come the server ends its part with the session. */
async function forgetNotifications(): Promise<void> {
  const registration = await navigator.serviceWorker?.getRegistration()
  for (const shown of (await registration?.getNotifications()) ?? []) shown.close()
  await (await registration?.pushManager?.getSubscription())?.unsubscribe()
}
