import { fetchApiKey } from '../../core/accounts/fetch-api-key.ts'
import { getPasswordLink, setPasswordByLink } from '../../core/accounts/password-links.ts'
import { getServerSettings } from '../../core/organization/server-settings.ts'
import type { Routes } from '../route-types.ts'

/** Public endpoints, before signing in. */
export const serverRoutes: Routes = {
  '/server_settings': { GET: getServerSettings },
  '/fetch_api_key': { POST: fetchApiKey },
  '/password_link': { GET: getPasswordLink, POST: setPasswordByLink },
}
