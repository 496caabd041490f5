import { forgetVisits } from '../navigation/visited.ts'
import { forgetStored } from '../persistence/browser-database.ts'
import { clearStoredTexts } from '../persistence/stored-texts.ts'
import { forgetVisit } from '../state/first-visit.ts'
import { forgetScreen } from './last-screen.ts'

/** The push service may be unreachable, and the sign-in page doesn't wait longer than this. */
const PATIENCE_MS = 2000

/** Deletes everything that this browser has of an account. A part that fails doesn't stop the others. */
export function forgetAccount(): Promise<unknown> {
  clearStoredTexts()
  forgetScreen()
  forgetVisit()
  forgetVisits()
  const patience = new Promise((resolve) => setTimeout(resolve, PATIENCE_MS))
  return Promise.allSettled([forgetStored(), Promise.race([forgetNotifications(), patience])])
}

/** System notifications contain names and texts. The server ends future ones with the session. */
async function forgetNotifications(): Promise<void> {
  const registration = await navigator.serviceWorker?.getRegistration()
  for (const shown of (await registration?.getNotifications()) ?? []) shown.close()
  await (await registration?.pushManager?.getSubscription())?.unsubscribe()
}
